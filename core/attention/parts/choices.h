#pragma once
// Tables of choices with few rows: the gate, the parts of a block, how the next word is chosen.

#include <array>
#include <optional>

#include "core/base/catalogue.h"
#include "core/trace/trace.h"

namespace attn {

/// The gate on a context [Xu et al. 2015, 4.2.1].
struct Gate {
    std::string_view id;
    std::optional<Activation> activation;  ///< on the gate's logits; none: there is no gate
};
/// Where a block normalises [Vaswani et al. 2017, 3.1; Xiong et al. 2020]. If it does not normalise the sum, one more
/// norm follows the last block.
struct BlockOrder {
    std::string_view id;
    bool norm_first = false;  ///< the input of a sub-layer
    bool norm_sum = false;    ///< x + f(x)
    bool norm_made = false;   ///< the output of a sub-layer before it is added [OLMo 2; with norm_first: Gemma 2]
    bool parallel = false;    ///< the feed-forward layer reads the same input as attention [Wang, Komatsuzaki 2021]
};
struct Norm {
    std::string_view id;
    std::string_view symbol;
    bool centred;  ///< subtracts the mean and adds a bias: layer norm; else RMS norm
};
/// The activation inside a feed-forward layer.
struct FeedForward {
    std::string_view id;
    Activation activation;
    std::string_view name;
    bool gated;  ///< multiplied by a second product; biases only if they are given [Shazeer 2020]
};
/// How the next word is chosen.
struct WordChoice {
    std::string_view id;
    bool samples;  ///< drawn from the probabilities; else the most probable word
    std::array<std::string_view, 4> fields = {};  ///< the document's fields that it reads
};
/// How a recurrent decoder computes its next state.
struct RecurrentUnit {
    std::string_view id;
    bool gated;  ///< Cho et al. 2014, as in Bahdanau et al. 2014, A.1.1; else a tanh [Elman 1990]
};

/// The matrix that turns a block's output into one number per word.
struct Unembedding {
    std::string_view id;
    bool predicts;  ///< an encoder and the like predict words, too [Devlin et al. 2018, 3.1]
    bool own;       ///< a separate matrix; else the transposed word vectors [Press, Wolf 2017]
};

const Catalogue<Gate>& gates();
const Catalogue<BlockOrder>& block_orders();
const Catalogue<Norm>& norms();
const Catalogue<FeedForward>& feed_forwards();
const Catalogue<WordChoice>& word_choices();
const Catalogue<RecurrentUnit>& recurrent_units();
const Catalogue<Unembedding>& unembeddings();

}  // namespace attn
