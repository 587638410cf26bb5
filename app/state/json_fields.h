#pragma once
// Tables that describe how a struct is written as JSON: each row is a member and the codec that reads and writes it. An
// invalid value changes nothing.

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/json_read.h"
#include "core/io/json_writer.h"
#include "core/trace/trace.h"

namespace app::field {

using attn::JsonKind;
using attn::JsonValue;
using attn::JsonWriter;

struct Truth {
    static bool read(bool& out, const JsonValue& v) { return app::read(out, v); }
    static void write(bool on, JsonWriter& out) { out.boolean(on); }
};

/// Any text; ids are checked where they are used.
struct Text {
    static bool read(std::string& out, const JsonValue& v) {
        if (v.kind == JsonKind::String) out = v.string;
        return v.kind == JsonKind::String;
    }
    static void write(const std::string& text, JsonWriter& out) { out.string(text); }
};

/// The range that a number is clamped to. (A struct, because Clang before 18 takes no double as a template argument.)
struct Bounds {
    double low, high;
};
template <const Bounds& kBounds>
struct Number {
    template <class T>
    static bool read(T& out, const JsonValue& v) {
        double number = 0;
        if (!app::read(number, v, kBounds.low, kBounds.high)) return false;
        out = static_cast<T>(number);
        return true;
    }
    template <class T>
    static void write(T number, JsonWriter& out) {
        out.number(number);
    }
};

inline constexpr Bounds kShareBounds{0, 1};
using Share = Number<kShareBounds>;

template <int kLow, int kHigh>
struct Whole {
    template <class T>
    static bool read(T& out, const JsonValue& v) {
        int number = 0;
        if (!app::read(number, v, kLow, kHigh)) return false;
        out = static_cast<T>(number);
        return true;
    }
    template <class T>
    static void write(T number, JsonWriter& out) {
        out.integer(static_cast<std::int64_t>(number));
    }
};

/// An index that counts from 0 here and from 1 in the file. With kLow 0, 0 in the file is −1 here: "none", "the last" …
template <int kLow = 1, int kHigh = 1 << 20>
struct Ordinal {
    static bool read(int& out, const JsonValue& v) {
        int number = 0;
        if (!app::read(number, v, kLow, kHigh)) return false;
        out = number - 1;
        return true;
    }
    static void write(int place, JsonWriter& out) { out.integer(place + 1); }
};

/// Indices in ascending order, without duplicates.
struct Ordinals {
    static bool read(std::vector<int>& out, const JsonValue& v) {
        constexpr std::size_t kMost = 4096;
        if (v.kind != JsonKind::Array || v.items.size() > kMost) return false;
        out.clear();
        for (const JsonValue& item : v.items)
            if (int place = 0; Ordinal<>::read(place, item)) out.push_back(place);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
        return true;
    }
    static void write(const std::vector<int>& places, JsonWriter& out) {
        out.begin_row();
        for (const int place : places) out.integer(place + 1);
        out.end_array();
    }
};

/// One of a closed set, by its id.
template <auto kFind, auto kId>
struct Named {
    template <class T>
    static bool read(T& out, const JsonValue& v) {
        const auto found = v.kind == JsonKind::String ? kFind(v.string) : std::nullopt;
        if (found) out = *found;
        return found.has_value();
    }
    template <class T>
    static void write(const T& value, JsonWriter& out) {
        out.string(kId(value));
    }
};

/// The name of a step: "weights.h2".
struct StepName {
    static bool read(attn::Tag& out, const JsonValue& v) {
        const auto tag = v.kind == JsonKind::String ? attn::parse_step_name(v.string) : std::nullopt;
        if (tag) out = *tag;
        return tag.has_value();
    }
    static void write(const attn::Tag& tag, JsonWriter& out) { out.string(attn::step_name(tag)); }
};

/// A value that may be missing; missing is null.
template <class Codec>
struct Maybe {
    template <class T>
    static bool read(std::optional<T>& out, const JsonValue& v) {
        T value{};
        const bool none = v.kind == JsonKind::Null;
        if (!none && !Codec::read(value, v)) return false;
        out = none ? std::nullopt : std::optional<T>(std::move(value));
        return true;
    }
    template <class T>
    static void write(const std::optional<T>& value, JsonWriter& out) {
        value ? Codec::write(*value, out) : out.null();
    }
};

/// An accessor of a member, as rows need it.
#define MEMBER(member) [](auto& s) -> auto& { return s.member; }

/// A member of a struct; `kGet` is its accessor, MEMBER(member).
template <class T>
struct Row {
    std::string_view key;
    bool (*read)(T&, const JsonValue&);
    void (*write)(const T&, JsonWriter&);
    bool must = false;  ///< an object without it is invalid
};
template <class T, class Codec, auto kGet>
constexpr Row<T> row(std::string_view key, bool must = false) {
    return {key, [](T& s, const JsonValue& v) { return Codec::read(kGet(s), v); },
            [](const T& s, JsonWriter& out) { Codec::write(kGet(s), out); }, must};
}

/// An object whose members are the rows of a table. A missing or invalid member keeps its previous value, unless it is
/// a `must`: then the whole object is rejected.
template <const auto& kRows>
struct Object {
    template <class T>
    static bool read(T& out, const JsonValue& v) {
        if (v.kind != JsonKind::Object) return false;
        T made = out;
        for (const auto& one : kRows) {
            const JsonValue* value = v.find(one.key);
            if (!(value && one.read(made, *value)) && one.must) return false;
        }
        out = std::move(made);
        return true;
    }
    template <class T>
    static void write(const T& value, JsonWriter& out) {
        out.begin_object();
        for (const auto& one : kRows) {
            out.key(one.key);
            one.write(value, out);
        }
        out.end_object();
    }
};

}  // namespace app::field
