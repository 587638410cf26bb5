#include "app/cli/compare_argument.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "app/screens/compare/comparison.h"
#include "app/shell/open_files.h"
#include "core/document/link.h"
#include "core/model/named.h"

namespace app {
namespace {

attn::Error wrong(std::string message) { return {std::move(message), "--compare", "", 0}; }

attn::Result<const ComparisonKind*> kind_named(std::string_view id, const attn::Document& document) {
    std::vector<std::string_view> had;
    for (const ComparisonKind& kind : comparison_kinds()) {
        const bool applies = !kind.applies || kind.applies(document);
        if (kind.id == id && applies) return &kind;
        if (kind.id == id) return wrong(fmt::format("this document has nothing to compare by {}", id));
        if (applies) had.push_back(kind.id);
    }
    return wrong(fmt::format("there is no comparison by {}; there are {}", id, fmt::join(had, ", ")));
}

/// Reads two tokens, counted from 1.
attn::Result<attn::Done> read_order(Comparison& out, std::string_view words, const attn::Document& document) {
    const std::size_t comma = words.find(',');
    const auto number = [](std::string_view text, int& into) {
        const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
        return read.ec == std::errc() && read.ptr == text.data() + text.size() && into-- >= 1;
    };
    if (comma == std::string_view::npos || !number(words.substr(0, comma), out.first) ||
        !number(words.substr(comma + 1), out.second))
        return wrong("write the numbers of two tokens, such as order=1,3");
    const auto count = static_cast<int>(attn::tokens_of(document).size());
    for (const int token : {out.first, out.second})
        if (token >= count) return wrong(fmt::format("there is no token {}: the text has {}", token + 1, count));
    if (out.first == out.second) return wrong("write two different tokens, such as order=1,3");
    return attn::Done{};
}

attn::Result<attn::Done> read_choice(Comparison& out, const ComparisonKind& kind, const attn::Document& document,
                                     std::string_view id, attn::CountFrom from) {
    std::vector<std::string> had;
    const auto typed = [&](const ComparisonChoice& choice) { return kind.what == Compares::Head ? attn::number_of(head_of_choice(choice.id), from) : choice.id; };
    for (const ComparisonChoice& choice : choices_of(kind, document)) {
        if (typed(choice) == id && choice.why_not.empty()) {
            out.choice = choice.id;
            return attn::Done{};
        }
        if (typed(choice) == id) return wrong(choice.why_not);
        if (choice.why_not.empty()) had.push_back(typed(choice));
    }
    return wrong(fmt::format("{} can be {}", kind.id, fmt::join(had, ", ")));
}

/// Reads another document: a link, or a file with a document or an attention.
attn::Result<attn::Done> read_kept_run(Comparison& out, std::string_view words) {
    if (attn::is_link(words)) {
        if (const auto document = attn::document_from_link(words); !document) return document.error();
        out.stored_link = words;
        return attn::Done{};
    }
    const auto document = open_document(std::filesystem::path(words));
    if (!document) return document.error();
    keep(out, *document);
    return attn::Done{};
}

attn::Result<attn::Done> read_rest(Comparison& out, const ComparisonKind& kind, const attn::Document& document,
                                   const std::optional<std::string_view>& rest, attn::CountFrom from) {
    switch (kind.what) {
        case Compares::Choice:
        case Compares::Head:
            return rest ? read_choice(out, kind, document, *rest, from) : attn::Done{};
        case Compares::Order:
            return rest ? read_order(out, *rest, document) : attn::Done{};
        case Compares::Edits:
        case Compares::Untrained:
            return attn::Done{};
        case Compares::Text:
            if (!rest || rest->empty()) return wrong("write the other text: text=…");
            out.text = *rest;
            return attn::Done{};
        case Compares::Model:
            if (!rest || rest->empty()) return wrong("write the folder of the other model: model=…");
            if (const auto model = attn::find_model(*rest, {.folders = true}); !model) return model.error();
            out.model = *rest;
            return attn::Done{};
        case Compares::StoredRun:
            if (!rest) return wrong("write the other document as a link, kept=attenscope:1:…, or its file, kept=FILE");
            return read_kept_run(out, *rest);
    }
    return attn::Done{};
}

}  // namespace

attn::Result<Comparison> comparison_named(std::string_view words, const attn::Document& document, attn::CountFrom from) {
    const std::size_t equals = words.find('=');
    const auto kind = kind_named(words.substr(0, equals), document);
    if (!kind) return kind.error();
    Comparison out;
    out.kind = (*kind)->id;
    std::optional<std::string_view> rest;
    if (equals != std::string_view::npos) rest = words.substr(equals + 1);
    if (const auto read = read_rest(out, **kind, document, rest, from); !read) return read.error();
    return out;
}

}  // namespace app
