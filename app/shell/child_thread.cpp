// start_child(): run_child() on a thread.

#include <utility>

#include "app/shell/child.h"
#include "app/state/worker.h"

namespace app {
namespace {

class ChildOnThread final : public RunningChild {
public:
    using Ended = std::function<void(attn::Result<attn::Done>)>;

    ChildOnThread(ChildJob job, Ended ended) {
        worker_.on_ready([ended](JobEnd end) {
            if (end == JobEnd::NoMemory) ended(no_memory_to_write());
        });
        worker_.add([job = std::move(job), ended = std::move(ended)](const std::stop_token& stop) -> Worker::Keep {
            ChildJob with_stop = job;
            with_stop.cancelled = [stop] { return stop.stop_requested(); };
            ended(run_child(with_stop));
            return {};
        });
    }
    void cancel() override { worker_.drop(); }

private:
    Worker worker_;
};

}  // namespace

std::unique_ptr<RunningChild> start_child(ChildJob job, std::function<void(attn::Result<attn::Done>)> ended) {
    return std::make_unique<ChildOnThread>(std::move(job), std::move(ended));
}

}  // namespace app
