#pragma once
// Memory that is refused: every allocation in turn, so that each of a job's is tried.

namespace test_support {

/// While it stands, one allocation throws std::bad_alloc: the `which`th (from 1) of this thread, or of all others together.
class Refusing {
public:
    enum class Of : bool { ThisThread, OtherThreads };

    explicit Refusing(int which, Of of = Of::ThisThread);
    ~Refusing();
    Refusing(const Refusing&) = delete;
    Refusing& operator=(const Refusing&) = delete;

    bool came() const;  ///< so many allocations there were, and the last of them was refused

private:
    Of of_;
};

}  // namespace test_support
