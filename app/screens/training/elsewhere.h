#pragma once
// A training outside this program's threads: in the worker of a browser's page, which has no threads.

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/screens/training/job.h"

namespace app {

/// Carries out the same orders as TrainingJob, in another place. Used by one thread; nothing here waits.
class TrainingElsewhere {
public:
    virtual ~TrainingElsewhere() = default;
    virtual void follow(const TrainingOrder& order) = 0;
    /// The latest news, returned once. Null: nothing new.
    virtual std::shared_ptr<const TrainingNews> take() = 0;
    virtual bool ready() const = 0;
    /// False: it cannot be reached, now or any more.
    virtual bool works() const = 0;
    virtual void on_ready(Wake wake) = 0;
};

/// Where a training goes if this system gives it no thread; null: nowhere (everywhere but in a page).
std::unique_ptr<TrainingElsewhere> training_elsewhere();

/// An order and news of it as bytes, for two processes of the same program.
std::string order_message(const TrainingOrder& order);
/// Error: bytes are missing, or this program has no such task.
attn::Result<TrainingOrder> order_of_message(std::string_view bytes);

/// Writes what has changed since its last message.
class NewsSender {
public:
    NewsSender();
    ~NewsSender();
    NewsSender(const NewsSender&) = delete;
    NewsSender& operator=(const NewsSender&) = delete;
    std::string message(const TrainingNews& news);

private:
    struct Lane;
    std::uint64_t run_ = 0;
    std::unique_ptr<Lane[]> lanes_;
};

/// Reads all messages of one sender, in their order.
class NewsReceiver {
public:
    /// The same news as the sender's, with the same objects where nothing changed. Error: bytes are missing.
    attn::Result<std::shared_ptr<const TrainingNews>> news(std::string_view bytes);

private:
    std::shared_ptr<const TrainingNews> last_;
};

}  // namespace app
