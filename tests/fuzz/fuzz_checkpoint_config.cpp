// Any bytes as a checkpoint's config.json. Oracle: an error says what is wrong and in which file; sizes that are read
// are divisible as heads need; a document takes each setting or says why it does not.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/document/fields.h"
#include "core/io/json.h"
#include "core/model/checkpoint/config.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto root = attn::parse_json({reinterpret_cast<const char*>(data), size});
    if (!root) return 0;
    const auto config = attn::read_checkpoint_config(*root, "config.json");
    if (!config) {
        require(!config.error().message.empty() && config.error().where == "config.json");
        return 0;
    }
    const attn::CheckpointSizes& sizes = config->sizes;
    require(config->family && sizes.width > 0 && sizes.layers > 0 && sizes.heads > 0 && sizes.head > 0 && sizes.words > 0);
    require(sizes.key_heads > 0 && sizes.heads % sizes.key_heads == 0);
    attn::Document document;
    for (const auto& [key, value] : config->settings) {
        const attn::Field* field = attn::find_field(key);
        require(field != nullptr);
        const auto taken = attn::read_field(*field, document, value);
        require(taken || !taken.error().message.empty());
    }
    document.tokens = {"a", "b"};
    for (const attn::Error& problem : attn::problems(document)) require(!problem.message.empty());
    return 0;
}
