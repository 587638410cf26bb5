#pragma once
// What the driver complains about, collected: tests end with "nothing was said".

#include <memory>
#include <string>
#include <vector>

namespace app::gfx {

/// While it lives, KHR_debug messages of high and medium severity about the current context are kept. Performance
/// hints are left out. Where the extension is missing only glGetError() is asked.
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
