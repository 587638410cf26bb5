#include "app/cli/repeated_text.h"

#include <algorithm>

#include "core/analysis/repeated_words.h"
#include "core/document/take.h"
#include "core/io/json_writer.h"
#include "core/model/model.h"

namespace app {

bool names_model_alone(const DocumentArguments& arguments) {
    const auto of_text = [](const std::string& setting) {
        return setting.starts_with("text=") || setting.starts_with("source=") || setting.starts_with("tokens=") || setting.starts_with("X=") || setting.starts_with("picture=");
    };
    return !arguments.model.empty() && arguments.file.empty() && !arguments.text && !arguments.source && arguments.picture.empty() && std::ranges::none_of(arguments.settings, of_text);
}

void declare_seed(Parser& parser, int& seed) {
    parser.add({.name = "--seed", .value = "SEED", .help = "Of the random words that a model without a text is measured on (1).",
                .check = whole_between(0, std::numeric_limits<int>::max())},
               seed);
}

attn::Result<attn::Done> take_repeated(DocumentArguments& arguments, int seed, int most) {
    const auto model = attn::find_model(arguments.model, {.folders = true});
    if (!model) return model.error();
    if ((*model)->picture) return attn::Error{std::string(attn::kPictureWanted), "", "picture", 0};
    attn::JsonWriter words;
    words.strings(attn::repeated_words(*model, static_cast<std::uint64_t>(seed), most));
    arguments.settings.insert(arguments.settings.begin(), "tokens=" + words.take());
    return attn::Done{};
}

}  // namespace app
