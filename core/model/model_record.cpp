#include "core/model/model_record.h"

#include <fmt/format.h>

#include "core/text/unicode.h"

namespace attn {
namespace {

class RecordReader {
public:
    RecordReader(const std::string& where, Model& model) : where_(where), model_(model) {}

    Result<Done> read(const JsonValue& root) {
        for (const auto part : {&RecordReader::description, &RecordReader::training, &RecordReader::measured})
            if (auto done = (this->*part)(root); !done) return done;
        return Done{};
    }

private:
    Error wrong(const JsonValue& value, std::string key, std::string message) const {
        return {std::move(message), where_, std::move(key), value.line};
    }
    /// A member of that kind; null if it is missing and optional.
    Result<const JsonValue*> member(const JsonValue& of, std::string_view key, JsonKind kind, bool needed, std::string path) const {
        const JsonValue* value = of.find(key);
        if (!value && needed) return wrong(of, std::move(path), "it is missing");
        if (!value) return static_cast<const JsonValue*>(nullptr);
        if (value->kind != kind)
            return wrong(*value, std::move(path), fmt::format("{} is expected, not {}", kind_name(kind), kind_name(value->kind)));
        return value;
    }
    Result<std::string> text(const JsonValue& of, std::string_view key, std::string path) const {
        const auto value = member(of, key, JsonKind::String, true, std::move(path));
        if (!value) return value.error();
        return (*value)->string;
    }
    Result<std::int64_t> count(const JsonValue& of, std::string_view key, std::int64_t low, std::int64_t high, std::string path) const {
        const auto value = member(of, key, JsonKind::Number, true, path);
        if (!value) return value.error();
        if (!(*value)->is_integer || (*value)->integer < low || (*value)->integer > high)
            return wrong(**value, std::move(path), fmt::format("a whole number from {} to {} is expected", low, high));
        return (*value)->integer;
    }

    Result<Done> description(const JsonValue& root) {
        const auto about = member(root, "description", JsonKind::Object, false, "description");
        if (!about) return about.error();
        if (!*about) return Done{};
        auto english = text(**about, "en", "description.en"), chinese = text(**about, "zh", "description.zh");
        if (!english) return english.error();
        if (!chinese) return chinese.error();
        model_.about = {std::move(*english), std::move(*chinese)};
        return Done{};
    }

    Result<Done> training(const JsonValue& root) {
        const auto said = member(root, "training", JsonKind::Object, false, "training");
        if (!said) return said.error();
        if (!*said) return Done{};
        auto task = text(**said, "task", "training.task");
        const auto seed = count(**said, "seed", 0, std::int64_t{1} << 53, "training.seed");
        const auto steps = count(**said, "steps", 0, std::int64_t{1} << 53, "training.steps");
        const auto batch = count(**said, "batch", 1, 1 << 30, "training.batch");
        const auto size = member(**said, "size", JsonKind::String, false, "training.size");
        const auto variation = member(**said, "variation", JsonKind::String, false, "training.variation");
        if (!task) return task.error();
        if (!size) return size.error();
        if (!variation) return variation.error();
        for (const auto* number : {&seed, &steps, &batch})
            if (!*number) return number->error();
        model_.training = ModelTraining{std::move(*task), static_cast<std::uint64_t>(*seed), *steps, static_cast<int>(*batch),
                                        *size ? (*size)->string : std::string(),
                                        *variation ? (*variation)->string : std::string()};
        return Done{};
    }

    Result<Done> measured(const JsonValue& root) {
        const auto all = member(root, "measured", JsonKind::Object, false, "measured");
        if (!all) return all.error();
        for (std::size_t i = 0; *all && i < (*all)->members.size(); ++i) {
            const JsonMember& set = (*all)->members[i];
            MeasuredSet out{set.key, {}};
            for (const JsonMember& figure : set.value.members) {
                if (figure.value.kind != JsonKind::Number)
                    return wrong(figure.value, fmt::format("measured.{}.{}", visible(set.key), visible(figure.key)), "a number is expected");
                out.figures.emplace_back(figure.key, figure.value.number);
            }
            model_.measured.push_back(std::move(out));
        }
        return Done{};
    }

    const std::string& where_;
    Model& model_;
};

}  // namespace

Result<Done> read_model_record(const JsonValue& root, const std::string& where, Model& model) {
    return RecordReader(where, model).read(root);
}

void put_model_description(JsonWriter& out, const Model& model) {
    out.key("description");
    out.begin_object();
    out.key("en"), out.string(model.about.english);
    out.key("zh"), out.string(model.about.chinese);
    out.end_object();
}

void put_model_training(JsonWriter& out, const Model& model) {
    if (model.training) {
        out.key("training");
        out.begin_object();
        out.key("task"), out.string(model.training->task);
        out.key("seed"), out.natural(model.training->seed);
        out.key("steps"), out.integer(model.training->steps);
        out.key("batch"), out.integer(model.training->batch);
        if (!model.training->size.empty()) out.key("size"), out.string(model.training->size);
        if (!model.training->variation.empty()) out.key("variation"), out.string(model.training->variation);
        out.end_object();
    }
    out.key("measured");
    out.begin_object();
    for (const MeasuredSet& set : model.measured) {
        out.key(set.id);
        out.begin_object();
        for (const auto& [key, value] : set.figures) out.key(key), out.number(value);
        out.end_object();
    }
    out.end_object();
}

}  // namespace attn
