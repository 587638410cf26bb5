#include "app/shell/open_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

#include "app/state/edits.h"
#include "core/document/fields.h"
#include "core/document/link.h"
#include "core/document/take.h"
#include "core/io/files.h"
#include "core/io/json.h"
#include "core/io/safe_text.h"
#include "core/model/attention_file/given_attention.h"
#include "core/model/model.h"
#include "core/train/tasks.h"

namespace app {

attn::Result<attn::Document> open_model(const std::filesystem::path& folder, Language language) {
    constexpr std::string_view kSentence = "the cat sat on the mat";
    auto model = attn::find_model(folder.string(), {.folders = true});
    if (!model) return model.error();
    attn::Document document;
    // One that the program has trained opens with its task's own example, as everywhere.
    const attn::train::Task* task = attn::train::task_of(**model);
    if (task && !task->examples.empty()) {
        document = attn::train::task_document(attn::train::example_for(*task, language == Language::Chinese), *model);
    } else {
        document.text = kSentence;
        use_model(document, *model, language);
    }
    if (auto wrong = attn::problems(document); !wrong.empty()) return wrong.front();
    return document;
}

attn::Result<attn::Document> open_attention(const std::filesystem::path& file) {
    auto attention = attn::find_attention(file.string(), {.folders = true});
    if (!attention) return attention.error();
    attn::Document document;
    attn::take_attention(document, std::move(*attention));
    if (auto wrong = attn::problems(document); !wrong.empty()) return wrong.front();
    return document;
}

attn::Result<attn::Document> open_document(const std::filesystem::path& file) {
    std::error_code problem;
    if (std::filesystem::is_directory(file, problem)) return open_model(file);
    if (attn::is_attention_name(file.string())) return open_attention(file);
    const auto bytes = attn::read_file(file, attn::JsonLimits{}.max_bytes);
    if (!bytes) return bytes.error();
    if (attn::is_link(*bytes)) return attn::document_from_link(*bytes);
    if (attn::is_attention_json(*bytes)) return open_attention(file);
    // A document may name a model by a relative path.
    const auto base = std::filesystem::absolute(file).parent_path();
    return attn::document_from_json(*bytes, attn::visible_text(file.string()), {.folders = true, .base = base});
}

bool take_picture(attn::Document& document, attn::GivenPicturePtr picture) {
    document.picture = std::move(picture);
    if (attn::shows_picture(document)) return true;
    document.picture.reset();
    return false;
}

namespace {

/// Reads one file of a drop; true: it can be used.
bool take_dropped(const std::string& file, Dropped& out) {
    attn::Error error;
    if (file.ends_with(".toml")) {
        out.chapter = file;
        return true;
    }
    if (attn::is_picture_name(file)) {
        auto picture = attn::find_picture(file, {.folders = true});
        if (picture) {
            out.picture = std::move(*picture);
            return true;
        }
        error = picture.error();
    } else {
        auto document = open_document(file);
        if (document) {
            out.document = std::move(*document);
            return true;
        }
        error = document.error();
    }
    out.refused ? void(++out.others) : void(out.refused = std::move(error));
    return false;
}

}  // namespace

Dropped open_dropped(std::span<const std::string> files) {
    Dropped out;
    for (const std::string& file : files.first(std::min(files.size(), Dropped::kMostTries))) {
        try {
            if (take_dropped(file, out)) return out;
        } catch (const std::bad_alloc&) {
            // An exception must not leave this thread. Smaller files might still open, but which one was meant is
            // unknown.
            out.refused = attn::Error{"there is not enough memory to open this", attn::visible_text(file), "", 0};
            return out;
        }
    }
    if (files.size() > Dropped::kMostTries) out.others += files.size() - Dropped::kMostTries;
    return out;
}

std::string Dropped::notice() const {
    if (!refused) return {};
    return others == 0 ? refused->text() : fmt::format("{} (+{})", refused->text(), others);
}

}  // namespace app
