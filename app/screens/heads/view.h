#pragma once
// The heads screen: pages that look at one attention in four ways, and what they share.

#include <string>
#include <string_view>
#include <vector>

#include "app/frame/control_rows.h"
#include "app/frame/view.h"
#include "app/screens/heads/heads.h"

namespace app {

// The pages, in the body below the controls. There is an attention to show (HeadsData::here()).
void draw_heads_lines(const Frame& frame, Rect area);
void draw_heads_maps(const Frame& frame, Rect area);  ///< the lines' page as heatmaps
void draw_heads_alignment(const Frame& frame, Rect area);
void draw_heads_grid(const Frame& frame, Rect area);
void draw_heads_ranked(const Frame& frame, Rect area);
void draw_heads_through(const Frame& frame, Rect area);
void draw_heads_neuron(const Frame& frame, Rect area);
void draw_heads_plane(const Frame& frame, Rect area);
void draw_heads_regions(const Frame& frame, Rect area);  ///< of a picture

// Keys.
void next_heads_page(const Frame& frame);
void switch_lines_and_heatmap(const Frame& frame);

/// What of the maps is drawn, and which keys are left out; returns the room below.
Rect heads_controls(const Frame& frame, Rect area);
/// What roles are measured on, and of which heads.
void ranked_controls(const Frame& frame, ControlRows& flow);
/// A share, and what chance would give.
void draw_share_bar(const Frame& frame, Rect bar, const attn::RoleShare& share);
/// What the chosen role is, and what it was measured on where that is not the text; empty: none is chosen.
std::string tint_sentence(const Frame& frame);
/// Which keys are left out, and whether what is left of a row is divided by its sum.
void hiding_flags(const Frame& frame, ControlRows& flow);
/// What was left out, in a sentence; empty: nothing.
std::string hidden_sentence(const Frame& frame);
/// How many heads the memory budget has no room for; empty: all are drawn.
std::string budget_sentence(const Frame& frame);
/// What the numbers of the maps are, where they are not the weights, and what they can and cannot say.
std::string measure_sentence(const Frame& frame);
/// "head 2", with its question where it has one and `room` pixels are enough for both.
std::string head_title(const Frame& frame, int head, float room, Type type);
/// Of the head that is shown: what it was asked, and what it does here; empty: nothing can be said.
std::string head_sentence(const Frame& frame);

/// Of many names only the longest are measured.
float widest_name(const Frame& frame, const std::vector<std::string>& names, Type type);

template <class Change>
void change_heads(const Frame& frame, Change change) {
    frame.change_view([change = std::move(change)](ViewState& v) { change(v.part<HeadsChoice>()); });
}

/// The pointer is on a weight (or on none): the same cell as everywhere, so that the inspector explains it.
void point_at_weight(const Frame& frame, std::optional<CellRef> cell);
/// A click pins it, a second click lets go.
void pin_weight(const Frame& frame, std::optional<CellRef> cell);
/// The query and the key that the focus is about, where it is a number of the head that is shown.
std::optional<QueryKey> focus_pair(const Frame& frame);

/// "Encoder · block 2"; "attention" where there is only one.
std::string place_title(const Frame& frame, const HeadsPlace& place);
std::string attention_title(const Frame& frame, const attn::Tag& weights);

/// Which of many labels have room: `each` pixels apart, `high` pixels each. Those that `keep` names always stand; the
/// others where they keep clear of them and of each other.
std::vector<bool> thinned(int count, float each, float high, std::span<const int> keep);

/// The query that a chapter's words point at: a token, or a row of what a query gives to the keys. Below 0: none.
int query_in_words(const Frame& frame);

}  // namespace app
