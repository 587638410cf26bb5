// A cancelled computation ends soon, wherever it is.
#include "core/base/cancel.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "core/document/document.h"
#include "core/kernels/kernels.h"

namespace attn {
namespace {

/// A document with one step that draws for minutes.
Document many_draws() {
    Document doc;
    for (int i = 0; i < 400; ++i) doc.text += "早上好";
    doc.config.selection = "hard";
    doc.config.draws = 100000;
    return doc;
}

TEST(Cancel, ACancelledRunDoesNotStart) {
    std::stop_source source;
    source.request_stop();
    const auto made = run(many_draws(), source.get_token());
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().message, "cancelled");
}

TEST(Cancel, ALongKernelChecksAtEveryRow) {
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(kernel::drawn(Matrix::Constant(2, 2, 0.5f), 1, 1, source.get_token()), Cancelled);
}

TEST(Cancel, RunningHardDrawsEnd) {
    std::stop_source source;
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        source.request_stop();
    });
    const auto begun = std::chrono::steady_clock::now();
    EXPECT_FALSE(run(many_draws(), source.get_token()));
    other.join();
    EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
}

TEST(Cancel, AFinishedTraceHoldsNoToken) {
    std::stop_source source;
    const auto made = run(Document{}, source.get_token());
    ASSERT_TRUE(made);
    EXPECT_FALSE(made->trace.stop.stop_possible());
}

}  // namespace
}  // namespace attn
