#pragma once
// How deep anything that is read may nest: one limit for every reader that calls itself. What people write stays far
// below it; a file of 100,000 opening brackets is a sentence, not a stack overflow.

namespace attn {

inline constexpr int kDeepestNesting = 64;

/// One level deeper for as long as it lives: `if (Nested level(depth_); level.too_deep()) return fail(…)`.
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
