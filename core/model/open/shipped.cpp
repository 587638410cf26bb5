#include "core/model/open/shipped.h"

#include <cassert>
#include <deque>
#include <mutex>
#include <vector>

#include "core/model/files/model_files.h"
#include "core/model/folder_names.h"
#include "core/model/model.h"

namespace attn {
namespace {

constexpr std::string_view kFolder = "assets/models/";

/// A shipped model, read when it is first requested, so that the program does not read all of them at start.
struct Shipped {
    std::string_view name;
    std::vector<const ShippedFile*> files;
    std::once_flag once;
    ModelPtr model;

    const ModelPtr& read() {
        std::call_once(once, [this] {
            ModelFiles all{std::string(name), std::string(name), "vocab.json", "", "", ""};
            for (const ShippedFile* file : files) {
                const std::string_view part = file->path.substr(kFolder.size() + name.size() + 1);
                if (part == kVocabularyFile || part == kTokenizerFile) all.vocabulary_name = part;
                (part == kConfigFile ? all.config : part == kTensorFile ? all.tensors : all.vocabulary) = file->text;
            }
            auto read = read_model(all);
            assert(read);
            if (read) model = std::move(*read);
        });
        return model;
    }
};

std::deque<Shipped>& shelf() {
    static std::deque<Shipped> kShelf = [] {
        std::deque<Shipped> out;
        for (const ShippedFile& file : shipped_files()) {
            const std::string_view path = file.path.substr(kFolder.size()), name = path.substr(0, path.find('/'));
            if (out.empty() || out.back().name != name) out.emplace_back().name = name;
            out.back().files.push_back(&file);
        }
        return out;
    }();
    return kShelf;
}

}  // namespace

std::span<const ModelPtr> shipped_models() {
    static const std::vector<ModelPtr> kModels = [] {
        std::vector<ModelPtr> out;
        for (Shipped& one : shelf())
            if (const ModelPtr& model = one.read()) out.push_back(model);
        return out;
    }();
    return kModels;
}

ModelPtr shipped_model(std::string_view id) {
    for (Shipped& one : shelf())
        if (one.name == id) return one.read();
    return nullptr;
}

std::vector<std::string_view> shipped_ids() {
    std::vector<std::string_view> out;
    for (const Shipped& one : shelf()) out.push_back(one.name);
    return out;
}

}  // namespace attn
