#pragma once
// Makes a chosen allocation fail, so that a test can try each allocation of a job in turn.

namespace test_support {

/// In its lifetime the `which`th allocation (from 1) throws std::bad_alloc: of this thread, or of all others together.
class Refusing {
public:
    enum class Of : bool { ThisThread, OtherThreads };

    explicit Refusing(int which, Of of = Of::ThisThread);
    ~Refusing();
    Refusing(const Refusing&) = delete;
    Refusing& operator=(const Refusing&) = delete;

    bool came() const;  ///< whether there were that many allocations, so that one has failed

private:
    Of of_;
};

}  // namespace test_support
