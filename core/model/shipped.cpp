#include "core/model/shipped.h"

#include <algorithm>
#include <cassert>

#include "core/model/model.h"

namespace attn {
namespace {

constexpr std::string_view kFolder = "assets/models/";

std::vector<ModelPtr> read_shipped_models() {
    std::vector<ModelFiles> all;
    for (const ShippedFile& file : shipped_files()) {
        const std::string_view path = file.path.substr(kFolder.size());
        const std::size_t slash = path.find('/');
        const std::string_view name = path.substr(0, slash), part = path.substr(slash + 1);
        if (all.empty() || all.back().name != name)
            all.push_back({std::string(name), std::string(name), "vocab.json", "", "", ""});
        ModelFiles& files = all.back();
        (part == "config.json" ? files.config : part == "vocab.json" ? files.vocabulary : files.tensors) = file.text;
    }
    std::vector<ModelPtr> out;
    for (const ModelFiles& files : all) {
        auto model = read_model(files);
        assert(model);
        if (model) out.push_back(std::move(*model));
    }
    return out;
}

}  // namespace

std::span<const ModelPtr> shipped_models() {
    static const std::vector<ModelPtr> kModels = read_shipped_models();
    return kModels;
}

}  // namespace attn
