// Training in a worker of the page: both are this program, and they exchange the messages of
// app/screens/training/elsewhere.h. page.js starts the worker and passes the messages on.

#include <emscripten.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "app/screens/training/elsewhere.h"

namespace app {
namespace {

EM_JS(int, page_has_worker, (), { return Module.train ? 1 : 0; });
EM_JS(void, page_train, (const char* order, int size), { Module.train(HEAPU8.slice(order, order + size)); });
/// In the worker: a message to the page.
EM_JS(void, worker_news, (const char* message, int size), { Module.tell(HEAPU8.slice(message, message + size)); });
EM_JS(void, worker_refuses, (), { Module.tell(null); });

class TrainingInWorker;

/// The browser passes on a worker's messages by calling exported functions.
TrainingInWorker*& in_worker() {
    static TrainingInWorker* one = nullptr;
    return one;
}

class TrainingInWorker final : public TrainingElsewhere {
public:
    TrainingInWorker() { in_worker() = this; }
    ~TrainingInWorker() override { in_worker() = nullptr; }
    TrainingInWorker(const TrainingInWorker&) = delete;
    TrainingInWorker& operator=(const TrainingInWorker&) = delete;

    void follow(const TrainingOrder& order) override {
        if (order.run != run_) news_ = nullptr;
        run_ = order.run;
        const std::string message = order_message(order);
        page_train(message.data(), static_cast<int>(message.size()));
    }
    std::shared_ptr<const TrainingNews> take() override { return std::exchange(news_, nullptr); }
    bool ready() const override { return news_ != nullptr; }
    bool works() const override { return works_; }
    void on_ready(Wake wake) override { wake_ = std::move(wake); }

    void receive(std::string_view message) {
        auto read = received_.news(message);
        if (!read) return fail();
        if ((*read)->run != run_) return;  // of an order before
        news_ = std::move(*read);
        if (wake_) wake_(JobEnd::Done);
    }
    void refuse() {
        if (wake_) wake_(JobEnd::NoMemory);
    }
    void fail() {
        works_ = false;
        if (wake_) wake_(JobEnd::Done);
    }

private:
    NewsReceiver received_;
    std::shared_ptr<const TrainingNews> news_;
    std::uint64_t run_ = 0;
    bool works_ = true;
    Wake wake_;
};

/// The worker's side: it trains for a while whenever the browser calls it.
struct WorkerSide {
    WorkerSide() {
        job.on_ready([](JobEnd end) {
            if (end == JobEnd::NoMemory) worker_refuses();
        });
    }
    TrainingJob job;
    NewsSender sender;
};
WorkerSide& worker_side() {
    static WorkerSide one;
    return one;
}

}  // namespace

std::unique_ptr<TrainingElsewhere> training_elsewhere() {
    if (!page_has_worker()) return nullptr;
    return std::make_unique<TrainingInWorker>();
}

}  // namespace app

// Called by app/shell/web/page.js.
extern "C" {
EMSCRIPTEN_KEEPALIVE void page_trained(const char* message, int size) {
    if (auto* one = app::in_worker()) one->receive({message, static_cast<std::size_t>(size)});
}
EMSCRIPTEN_KEEPALIVE void page_training_refused() {
    if (auto* one = app::in_worker()) one->refuse();
}
EMSCRIPTEN_KEEPALIVE void page_training_failed() {
    if (auto* one = app::in_worker()) one->fail();
}
EMSCRIPTEN_KEEPALIVE void worker_order(const char* message, int size) {
    if (const auto order = app::order_of_message({message, static_cast<std::size_t>(size)})) app::worker_side().job.follow(*order);
}
/// 1: there is more to do at once.
EMSCRIPTEN_KEEPALIVE int worker_turn() {
    auto& side = app::worker_side();
    if (const auto news = side.job.take()) {
        const std::string message = side.sender.message(*news);
        app::worker_news(message.data(), static_cast<int>(message.size()));
    }
    return side.job.ready() ? 1 : 0;
}
}
