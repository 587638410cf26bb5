// Orders and news as bytes (elsewhere.h). Each type lists its fields once, for writing and for reading. Both processes are
// the same program, so numbers are in this machine's format.

#include <algorithm>
#include <array>
#include <cstring>
#include <set>
#include <type_traits>
#include <utility>

#include "app/screens/training/elsewhere.h"

namespace app {

namespace train = attn::train;

namespace {

class MessageWriter {
public:
    template <class... T>
    void operator()(const T&... values) {
        (put(values), ...);
    }
    std::string take() { return std::move(bytes_); }

private:
    template <class T>
        requires std::is_arithmetic_v<T>
    void put(const T& value) {
        bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void put(std::string_view text) {
        put(static_cast<std::uint64_t>(text.size()));
        bytes_.append(text);
    }
    void put(const std::string& text) { put(std::string_view(text)); }
    template <class T>
    void put(const std::vector<T>& items) {
        put(static_cast<std::uint64_t>(items.size()));
        for (const T& item : items) put(item);
    }
    template <class A, class B>
    void put(const std::pair<A, B>& pair) {
        put(pair.first);
        put(pair.second);
    }
    void put(const attn::Matrix& matrix) {
        put(static_cast<std::int64_t>(matrix.rows()));
        put(static_cast<std::int64_t>(matrix.cols()));
        bytes_.append(reinterpret_cast<const char*>(matrix.data()), static_cast<std::size_t>(matrix.size()) * sizeof(float));
    }
    template <class T>
        requires std::is_class_v<T>
    void put(const T& value) {
        pass(*this, value);
    }

    std::string bytes_;
};

class MessageReader {
public:
    explicit MessageReader(std::string_view bytes) : bytes_(bytes) {}
    template <class... T>
    void operator()(T&... values) {
        (get(values), ...);
    }
    /// Nothing was missing, and nothing is left.
    bool whole() const { return !short_ && bytes_.empty(); }

private:
    const char* next(std::uint64_t count) {
        if (short_ || count > bytes_.size()) {
            short_ = true;
            return nullptr;
        }
        const char* at = bytes_.data();
        bytes_.remove_prefix(static_cast<std::size_t>(count));
        return at;
    }
    /// A number of items, each of which takes at least one byte.
    std::uint64_t count() {
        std::uint64_t out = 0;
        get(out);
        if (out > bytes_.size()) short_ = true;
        return short_ ? 0 : out;
    }
    template <class T>
        requires std::is_arithmetic_v<T>
    void get(T& value) {
        if (const char* at = next(sizeof value)) std::memcpy(&value, at, sizeof value);
    }
    void get(std::string& text) {
        const std::uint64_t size = count();
        if (const char* at = next(size)) text.assign(at, static_cast<std::size_t>(size));
    }
    template <class T>
    void get(std::vector<T>& items) {
        items.resize(static_cast<std::size_t>(count()));
        for (T& item : items) get(item);
    }
    template <class A, class B>
    void get(std::pair<A, B>& pair) {
        get(pair.first);
        get(pair.second);
    }
    void get(attn::Matrix& matrix) {
        std::int64_t rows = 0, cols = 0;
        get(rows);
        get(cols);
        const std::uint64_t most = bytes_.size() / sizeof(float);
        const auto fits = [&](std::int64_t n) { return n >= 0 && static_cast<std::uint64_t>(n) <= most; };
        if (short_ || !fits(rows) || !fits(cols) || (rows > 0 && static_cast<std::uint64_t>(cols) > most / static_cast<std::uint64_t>(rows))) {
            short_ = true;
            return;
        }
        matrix.resize(rows, cols);
        const auto size = static_cast<std::uint64_t>(matrix.size()) * sizeof(float);
        const char* at = next(size);
        if (at && size > 0) std::memcpy(matrix.data(), at, static_cast<std::size_t>(size));
    }
    template <class T>
        requires std::is_class_v<T>
    void get(T& value) {
        pass(*this, value);
    }

    std::string_view bytes_;
    bool short_ = false;
};

/// A measure whose words are its own, instead of the task's.
struct OwnMeasure {
    train::TaskMeasure measure;
    std::string english, chinese;
};
/// A snapshot; only its step if it was sent before.
struct SnapshotPart {
    std::int64_t step = 0;
    bool sent = false;
    train::StepReport report;
    std::vector<train::Weight> weights;
};
struct UnseenPart {
    std::int64_t step = 0;
    OwnMeasure measure;
};
/// What is new of one training.
struct LanePart {
    std::int64_t step = 0, planned = 0;
    bool finished = false;
    std::vector<train::StepReport> reports;
    std::vector<SnapshotPart> snapshots;
    std::vector<UnseenPart> unseen;
};
struct NewsPart {
    std::uint64_t run = 0;
    std::vector<LanePart> lanes;
};
struct OrderPart {
    TrainingOrder order;
    std::string task;
};

template <class T, class U>
concept Only = std::is_same_v<std::remove_const_t<T>, U>;

void pass(auto& io, Only<train::TaskOptions> auto& o) { io(o.seed, o.size, o.steps, o.rate, o.batch, o.figures, o.variation); }
void pass(auto& io, Only<OrderPart> auto& o) {
    io(o.task, o.order.run, o.order.options, o.order.beside, o.order.running, o.order.until, o.order.speed);
}
void pass(auto& io, Only<train::StepReport> auto& r) { io(r.step, r.loss, r.accuracy, r.gradient_length, r.rate); }
void pass(auto& io, Only<train::Weight> auto& w) { io(w.name, w.value, w.decay, w.from_phase, w.to_phase); }
void pass(auto& io, Only<attn::MeasuredSet> auto& s) { io(s.id, s.figures); }
void pass(auto& io, Only<attn::BothLanguages> auto& b) { io(b.english, b.chinese); }
void pass(auto& io, Only<train::TaskFigure> auto& f) { io(f.id, f.name, f.value, f.head); }
void pass(auto& io, Only<attn::SureAt> auto& s) { io(s.weight, s.right, s.count); }
void pass(auto& io, Only<OwnMeasure> auto& m) {
    io(m.measure.right, m.measure.chance, m.measure.role, m.measure.off, m.measure.score, m.english, m.chinese, m.measure.sets, m.measure.figures,
       m.measure.sure);
}
void pass(auto& io, Only<SnapshotPart> auto& s) { io(s.step, s.sent, s.report, s.weights); }
void pass(auto& io, Only<UnseenPart> auto& u) { io(u.step, u.measure); }
void pass(auto& io, Only<LanePart> auto& l) { io(l.step, l.planned, l.finished, l.reports, l.snapshots, l.unseen); }
void pass(auto& io, Only<NewsPart> auto& n) { io(n.run, n.lanes); }

template <class T>
std::string message_of(const T& value) {
    MessageWriter out;
    out(value);
    return out.take();
}

const attn::Error kMessageNotWhole{"a message about a training is not whole", {}, {}, 0};

std::shared_ptr<const train::TaskMeasure> measure_of(OwnMeasure&& part) {
    auto own = std::make_shared<OwnMeasure>(std::move(part));
    own->measure.role_name = {own->english, own->chinese};
    return {own, &own->measure};
}

/// `last`: the same training's news before, or null.
void read_lane(TrainingNews& out, LanePart&& part, const TrainingNews* last) {
    out.step = part.step;
    out.planned = part.planned;
    out.finished = part.finished;
    if (last) {
        out.reports = last->reports;
        out.unseen = last->unseen;
    }
    for (std::size_t i = 0; i < part.reports.size();) {
        auto piece = std::make_shared<std::vector<train::StepReport>>();
        if (!out.reports.empty() && out.reports.back()->size() < kReportsAPiece) {
            *piece = *out.reports.back();
            out.reports.pop_back();
        }
        while (piece->size() < kReportsAPiece && i < part.reports.size()) piece->push_back(part.reports[i++]);
        out.reports.push_back(std::move(piece));
    }
    for (UnseenPart& point : part.unseen) out.unseen.push_back({point.step, measure_of(std::move(point.measure))});
    for (SnapshotPart& one : part.snapshots) {
        TrainingSnapshot snapshot{one.step, one.report, nullptr, nullptr};
        if (!one.sent)
            snapshot.weights = std::make_shared<const std::vector<train::Weight>>(std::move(one.weights));
        else if (last)
            if (const auto before = std::ranges::find(last->snapshots, one.step, &TrainingSnapshot::step); before != last->snapshots.end()) snapshot = *before;
        if (!snapshot.weights) continue;
        if (const auto point = std::ranges::find(out.unseen, one.step, &UnseenPoint::step); point != out.unseen.end()) snapshot.measure = point->measure;
        out.snapshots.push_back(std::move(snapshot));
    }
}

}  // namespace

std::string order_message(const TrainingOrder& order) { return message_of(OrderPart{order, order.task ? std::string(order.task->id) : std::string()}); }

attn::Result<TrainingOrder> order_of_message(std::string_view bytes) {
    OrderPart part;
    MessageReader in(bytes);
    in(part);
    if (!in.whole()) return kMessageNotWhole;
    part.order.task = train::find_task(part.task);
    if (!part.order.task && part.order.run != 0) return attn::Error{"there is no such task", part.task, {}, 0};
    return part.order;
}

/// What has been sent of one training.
struct NewsSender::Lane {
    std::size_t reports = 0, unseen = 0;
    std::set<std::int64_t> snapshots;

    LanePart part(const TrainingNews& news) {
        LanePart out{news.step, news.planned, news.finished, {}, {}, {}};
        std::size_t at = 0;
        for (const auto& piece : news.reports)
            for (const train::StepReport& report : *piece)
                if (at++ >= reports) out.reports.push_back(report);
        reports = at;
        std::set<std::int64_t> here;
        for (const TrainingSnapshot& one : news.snapshots) {
            here.insert(one.step);
            const bool sent = snapshots.contains(one.step);
            out.snapshots.push_back({one.step, sent, one.report, sent ? std::vector<train::Weight>() : *one.weights});
        }
        snapshots = std::move(here);
        for (; unseen < news.unseen.size(); ++unseen) {
            const train::TaskMeasure& measure = *news.unseen[unseen].measure;
            out.unseen.push_back({news.unseen[unseen].step, {measure, std::string(measure.role_name.english), std::string(measure.role_name.chinese)}});
        }
        return out;
    }
};

NewsSender::NewsSender() = default;
NewsSender::~NewsSender() = default;

std::string NewsSender::message(const TrainingNews& news) {
    if (!lanes_ || run_ != news.run) {
        run_ = news.run;
        lanes_ = std::make_unique<Lane[]>(2);
    }
    NewsPart part{news.run, {}};
    part.lanes.push_back(lanes_[0].part(news));
    if (news.beside) part.lanes.push_back(lanes_[1].part(*news.beside));
    return message_of(part);
}

attn::Result<std::shared_ptr<const TrainingNews>> NewsReceiver::news(std::string_view bytes) {
    NewsPart part;
    MessageReader in(bytes);
    in(part);
    if (!in.whole() || part.lanes.empty() || part.lanes.size() > 2) return kMessageNotWhole;
    if (last_ && last_->run != part.run) last_ = nullptr;
    auto out = std::make_shared<TrainingNews>();
    out->run = part.run;
    read_lane(*out, std::move(part.lanes[0]), last_.get());
    if (part.lanes.size() == 2) {
        auto beside = std::make_shared<TrainingNews>();
        beside->run = part.run;
        read_lane(*beside, std::move(part.lanes[1]), last_ ? last_->beside.get() : nullptr);
        out->beside = std::move(beside);
    }
    last_ = out;
    return last_;
}

}  // namespace app
