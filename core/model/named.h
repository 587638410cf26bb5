#pragma once
// Models by name. A document names its model, and a model is checked by running a document over shapes; so the names are
// declared here, below the document, and looked up in core/model/open, above it.

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace attn {

struct Model;
using ModelPtr = std::shared_ptr<const Model>;

/// Where a model, or a file of attention, that a document names may be looked for.
struct ModelPlaces {
    bool folders = false;  ///< else only shipped ones: a document from somebody else must not open files
    std::filesystem::path base = {};  ///< directory of relative names; empty: the working directory
};

/// The shipped models, in order; a test checks that none fails to be read. Each is read when it is first requested:
/// shipped_models() reads all, shipped_model() one, shipped_ids() none.
std::span<const ModelPtr> shipped_models();
ModelPtr shipped_model(std::string_view id);
std::vector<std::string_view> shipped_ids();

/// A model by the id of a shipped one, or by its folder, relative to places.base; with the suffix @0: the model before
/// training (core/train/untrained.h).
Result<ModelPtr> find_model(std::string_view name, const ModelPlaces& places);

}  // namespace attn
