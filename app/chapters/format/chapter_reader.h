#pragma once
// Reads tables of a chapter: every key once, each error with its position.

#include <initializer_list>

#include "app/chapters/format/chapter.h"

namespace app {

/// Shared by all readers of a file.
struct ChapterFile {
    std::string file;
    std::function<std::string(std::string_view, Language)> term;  ///< the name for an id; "" if there is none
    std::vector<ChapterProblem>* problems = nullptr;

    void wrong(const attn::JsonValue& at, std::string key, std::string message) const;
};

/// One table and the path to it.
class ChapterTable {
public:
    ChapterTable(const ChapterFile& file, const attn::JsonValue& value, std::string path);

    /// Reports unknown keys.
    void only(std::initializer_list<std::string_view> keys) const;
    const attn::JsonValue* find(std::string_view key) const { return value_.find(key); }
    std::string path_of(std::string_view key) const;
    ChapterPlace place() const { return {value_.line, value_.column}; }
    const ChapterFile& file() const { return file_; }

    void wrong(std::string_view key, std::string message) const;
    void text(std::string_view key, std::string& out, bool must = false) const;
    /// A number or a text: "2", "argmax(weights[1])".
    void expression(std::string_view key, std::string& out) const;
    void number(std::string_view key, double& out) const;
    void whole(std::string_view key, int& out, int low, int high) const;
    void strings(std::string_view key, std::vector<std::string>& out) const;
    void id(std::string_view key, std::string& out) const;
    /// { en, zh }.
    void both(std::string_view key, LocalText& out, bool must = false) const;
    void both_prose(std::string_view key, LocalProse& out, bool must = false) const;
    /// The members en and zh of this table itself.
    void own_prose(LocalProse& out, bool must) const;
    void fields(std::string_view key, FieldSettings& out) const;
    void cell(std::string_view key, std::optional<CellSpot>& out) const;
    /// The view settings as JSON; they may differ between the languages.
    void view(LocalText& out) const;
    void doing(std::string_view key, ChapterDo& out) const;
    /// Calls `each` with every table of a list.
    template <class Each>
    void each(std::string_view key, Each each) const {
        const attn::JsonValue* list = find(key);
        if (!list) return;
        if (list->kind != attn::JsonKind::Array) return wrong(key, "a list of tables is expected");
        for (std::size_t i = 0; i < list->items.size(); ++i) {
            const std::string path = path_of(key) + "[" + std::to_string(i + 1) + "]";
            if (list->items[i].kind != attn::JsonKind::Object)
                file_.wrong(list->items[i], path, "a table is expected");
            else
                each(ChapterTable(file_, list->items[i], path));
        }
    }

private:
    Prose prose(const attn::JsonValue& value, const std::string& path, Language language) const;
    void check_both(const attn::JsonValue& value, const std::string& path) const;

    const ChapterFile& file_;
    const attn::JsonValue& value_;
    std::string path_;
};

}  // namespace app
