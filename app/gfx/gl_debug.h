#pragma once
// Collects the driver's complaints: tests end with a check that there were none.

#include <memory>
#include <string>
#include <vector>

namespace app::gfx {

/// While it lives, it collects KHR_debug messages of high and medium severity about the current context, except
/// performance hints. Without the extension only glGetError() is read.
class GlDebug {
public:
    GlDebug();
    ~GlDebug();
    GlDebug(const GlDebug&) = delete;
    GlDebug& operator=(const GlDebug&) = delete;

    /// Everything since the last call, glGetError() included, oldest first.
    std::vector<std::string> take();

private:
    std::unique_ptr<std::vector<std::string>> messages_;  // the driver holds its address
};

}  // namespace app::gfx
