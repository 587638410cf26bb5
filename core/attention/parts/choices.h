#pragma once
// Choices with few rows: the gate, what a block is made of, how a word is taken. Each is a table.

#include <array>
#include <optional>

#include "core/base/catalogue.h"
#include "core/trace/trace.h"

namespace attn {

/// How much of a context is taken at all [Xu et al. 2015, 4.2.1].
struct Gate {
    std::string_view id;
    std::optional<Activation> activation;  ///< of the gate's logits; none: there is no gate
};
/// Where a block normalises [Vaswani et al. 2017, 3.1; Xiong et al. 2020]; where it does not normalise the sum, one norm
/// more stands behind the last block.
struct BlockOrder {
    std::string_view id;
    bool norm_first = false;  ///< what a sub-layer reads
    bool norm_sum = false;    ///< x + f(x)
    bool norm_made = false;   ///< what a sub-layer made, before it is added [OLMo 2; with norm_first: Gemma 2]
    bool parallel = false;    ///< the feed-forward layer reads what attention reads [Wang, Komatsuzaki 2021]
};
struct Norm {
    std::string_view id;
    std::string_view symbol;
    bool centred;  ///< minus the mean, plus a bias: layer norm; else RMS norm
};
/// The function inside a feed-forward layer.
struct FeedForward {
    std::string_view id;
    Activation activation;
    std::string_view name;
    bool gated;  ///< times a second product; biases only where they are given [Shazeer 2020]
};
/// How the next word is taken.
struct WordChoice {
    std::string_view id;
    bool samples;  ///< drawn from the shares; else the likeliest
    std::array<std::string_view, 4> fields = {};  ///< of the document, that it reads
};
/// What makes a new state of a recurrent decoder.
struct RecurrentUnit {
    std::string_view id;
    bool gated;  ///< Cho et al. 2014, as Bahdanau et al. 2014, A.1.1 have it; else a tanh [Elman 1990]
};

/// What turns a block's output into one number a word.
struct Unembedding {
    std::string_view id;
    bool asked;  ///< an encoder, too, predicts words [Devlin et al. 2018, 3.1]
    bool own;    ///< a matrix of its own; else the words' vectors, transposed [Press, Wolf 2017]
};

const Catalogue<Gate>& gates();
const Catalogue<BlockOrder>& block_orders();
const Catalogue<Norm>& norms();
const Catalogue<FeedForward>& feed_forwards();
const Catalogue<WordChoice>& word_choices();
const Catalogue<RecurrentUnit>& recurrent_units();
const Catalogue<Unembedding>& unembeddings();

}  // namespace attn
