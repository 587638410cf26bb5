#pragma once
// The heads screen: pages that show one attention in different ways, and what they share.

#include <string>
#include <string_view>
#include <vector>

#include "app/frame/control_rows.h"
#include "app/frame/view.h"
#include "app/screens/heads/heads.h"

namespace app {

// The pages, in the area below the controls. Precondition: there is an attention to show (HeadsData::here()).
void draw_heads_lines(const Frame& frame, Rect area);
void draw_heads_maps(const Frame& frame, Rect area);  ///< the page of lines as heatmaps
void draw_heads_alignment(const Frame& frame, Rect area);
void draw_heads_grid(const Frame& frame, Rect area);
void draw_heads_ranked(const Frame& frame, Rect area);
void draw_heads_composition(const Frame& frame, Rect area);
void draw_heads_circuit(const Frame& frame, Rect area);  ///< W_OV and W_QK
void draw_heads_through(const Frame& frame, Rect area);
void draw_heads_neuron(const Frame& frame, Rect area);
void draw_heads_plane(const Frame& frame, Rect area);
void draw_heads_regions(const Frame& frame, Rect area);  ///< for a picture

/// The pages that this run has, in the order of the switch; also while another screen is shown.
struct HeadsPageName {
    std::string_view id;
    Str title;
};
std::vector<HeadsPageName> heads_pages_of_run(const attn::Run& run);

// Commands for keys.
void next_heads_page(const Frame& frame);
void switch_lines_and_heatmap(const Frame& frame);

/// The controls for which maps are drawn and which keys are hidden; returns the area below.
Rect heads_controls(const Frame& frame, Rect area);
/// The controls for what the roles are measured on, and for which heads.
void ranked_controls(const Frame& frame, ControlRows& flow);
/// The controls that filter the table and the grid: a role, how far above chance, and a number or a part of a name.
void filter_controls(const Frame& frame, ControlRows& flow);
/// How many heads the filter leaves; empty: all, or they are not measured yet.
std::string filter_sentence(const Frame& frame);
/// A bar for a share, with a mark at what chance would give.
void draw_share_bar(const Frame& frame, Rect bar, const attn::RoleShare& share);
/// Explains the chosen role, and what it was measured on if that is not the text; empty: none is chosen.
std::string tint_sentence(const Frame& frame);
/// The switches for hidden keys, and for renormalising the rest of a row.
void hiding_flags(const Frame& frame, ControlRows& flow);
/// Says what is hidden; empty: nothing.
std::string hidden_sentence(const Frame& frame);
/// Says how many heads do not fit into the memory budget; empty: all are drawn.
std::string budget_sentence(const Frame& frame);
/// Explains the numbers of the maps if they are not the weights, and what can be concluded from them.
std::string measure_sentence(const Frame& frame);
/// "head 2", with its question if it has one and both fit into `room` pixels.
std::string head_title(const Frame& frame, int head, float room, Type type);
/// About the shown head: its question, and what it does here; empty: nothing is known.
std::string head_sentence(const Frame& frame);

template <class Change>
void change_heads(const Frame& frame, Change change) {
    frame.change_view([change = std::move(change)](ViewState& v) { change(v.part<HeadsChoice>()); });
}

/// Focuses a weight (or none): the same focus as on all screens, so that the inspector explains it.
void point_at_weight(const Frame& frame, std::optional<CellRef> cell);
/// A click pins it, a second click unpins it.
void pin_weight(const Frame& frame, std::optional<CellRef> cell);
/// The query and the key of the focus, if it is a number of the shown head.
std::optional<QueryKey> focus_pair(const Frame& frame);

/// "Encoder · block 2"; "attention" if there is only one.
std::string place_title(const Frame& frame, const HeadsPlace& place);
std::string attention_title(const Frame& frame, const attn::Tag& weights);

/// Which of many labels are shown, at `each` pixels apart and `high` pixels each. Those in `keep` always are, the
/// others where they overlap neither them nor each other.
std::vector<bool> thinned(int count, float each, float high, std::span<const int> keep);

/// The query that a chapter's text points at: a token, or a row of weights. Negative: none.
int query_in_words(const Frame& frame);

}  // namespace app
