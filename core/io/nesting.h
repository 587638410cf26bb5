#pragma once
// How deeply input may nest: one limit for every recursive reader. What people write stays far below it; a file of
// 100,000 opening brackets gets an error message, not a stack overflow.

namespace attn {

inline constexpr int kDeepestNesting = 64;

/// One level deeper during its lifetime: `if (Nested level(depth_); level.too_deep()) return fail(…)`.
class Nested {
public:
    explicit Nested(int& depth) : depth_(depth) { ++depth_; }
    ~Nested() { --depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;
    bool too_deep() const { return depth_ > kDeepestNesting; }

private:
    int& depth_;
};

}  // namespace attn
