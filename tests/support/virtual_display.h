#pragma once
// A display of the test's own, without a screen: Xvfb, for as long as this lives.

#include <sys/types.h>

#include <string>

namespace test_support {

class VirtualDisplay {
public:
    /// Starts one and names it in DISPLAY. It takes a free number by itself.
    VirtualDisplay();
    /// Ends it; DISPLAY is as it was.
    ~VirtualDisplay();
    VirtualDisplay(const VirtualDisplay&) = delete;
    VirtualDisplay& operator=(const VirtualDisplay&) = delete;

    /// Whether there is one.
    bool ok() const { return !name_.empty(); }

private:
    pid_t server_ = -1;
    std::string name_, before_;
    bool had_ = false;
};

}  // namespace test_support
