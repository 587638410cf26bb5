#pragma once
// The documents of the frame cases: every operation, texts of no, one, few and many tokens, hard words.

#include "core/document/document.h"

namespace frames {

attn::Document cat();
attn::Document cat_raw();
attn::Document morning();
attn::Document none();
attn::Document one();
attn::Document many();
attn::Document positions();
attn::Document causal();
attn::Document blind();
attn::Document biased();
attn::Document two_heads();
attn::Document turned_back();
attn::Document turned_back_from_loss();
attn::Document sixty_four();
attn::Document thousand();
attn::Document four_thousand();
attn::Document long_words();
attn::Document strange();
attn::Document additive();
attn::Document concat();
attn::Document cosine();
attn::Document rope();
attn::Document relative();
attn::Document local_p();
attn::Document top_two();
attn::Document sparsemax();
attn::Document twelve_draws();
attn::Document many_draws();
attn::Document gated();
attn::Document encoder();
attn::Document decoder();
attn::Document generate();
attn::Document bahdanau();
attn::Document online();
attn::Document typed_over();
attn::Document many_settings();
attn::Document cross();
attn::Document placed();
attn::Document four_heads();
attn::Document deep_encoder();
attn::Document deep_decoder();
attn::Document two_heads_generate();
attn::Document opening_english();
attn::Document opening_chinese();
attn::Document language();
attn::Document language_without_a_head();
attn::Document language_zh();
attn::Document translated();
attn::Document picture();

}  // namespace frames
