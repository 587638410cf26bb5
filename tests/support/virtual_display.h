#pragma once
// A display of the test's own, without a screen: Xvfb, for the lifetime of this object.

#include <sys/types.h>

#include <string>

namespace test_support {

class VirtualDisplay {
public:
    /// Starts Xvfb, which picks a free display number, and names it in DISPLAY.
    VirtualDisplay();
    /// Ends Xvfb and restores DISPLAY.
    ~VirtualDisplay();
    VirtualDisplay(const VirtualDisplay&) = delete;
    VirtualDisplay& operator=(const VirtualDisplay&) = delete;

    /// Whether Xvfb started.
    bool ok() const { return !name_.empty(); }

private:
    pid_t server_ = -1;
    std::string name_, before_;
    bool had_ = false;
};

}  // namespace test_support
