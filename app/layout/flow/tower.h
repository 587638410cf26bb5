#pragma once
// The tower: a whole model in one picture. Each attention is a floor, the words are columns below it, each head has a
// lane on its floor, and arcs between two words on a lane are as thick as the weight. Next to it is what the model
// would predict after each layer (the logit lens). An encoder and its decoder are two towers. This file selects what is
// shown from the trace, tower_layout.cpp places it; both are pure.

#include <array>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/layout/flow/model_map.h"
#include "app/ui/theme.h"
#include "core/analysis/prediction.h"

namespace app {

/// A head's lane: its weights between the shown words.
struct TowerHead {
    attn::StepId weights = attn::kNoStep;
    int head = attn::kNoHead;
    int keys = 0;               ///< length of a row of `shares`
    std::vector<float> shares;  ///< a row for each shown word of its tower; NaN where there is no weight
    float share(int query, int key) const { return shares[static_cast<std::size_t>(query * keys + key)]; }
};

struct TowerFloor {
    int place = 0;  ///< index in the map
    int side = 0, keys_of = 0;  ///< its tower, and the tower that its keys come from
    int layer = 0;
    bool ends_layer = true;  ///< the topmost floor of its layer, where the layer's prediction is drawn
    std::vector<TowerHead> heads;
    bool crosses() const { return keys_of != side; }
};

struct TowerSide {
    bool source = false;      ///< its words are those of the source text
    int count = 0;            ///< of all its tokens
    std::vector<int> tokens;  ///< the ones that may be shown, in order: of a long text, those that matter most
    std::vector<int> rank;    ///< of each of them: words with high ranks are dropped first if not all fit
    int followed = 0;         ///< the word that is followed, an index into `tokens`
    std::vector<int> floors;  ///< from the bottom up
};

struct Tower {
    std::vector<TowerSide> sides;  ///< the last one makes the predictions
    std::vector<TowerFloor> floors;
    const TowerSide& answers() const { return sides.back(); }
    int followed_token() const { return answers().tokens[static_cast<std::size_t>(answers().followed)]; }
};

/// At most this many words of a longer text are shown.
inline constexpr int kMostTowerWords = 24;

/// Whether the places can be drawn as floors: attentions of one time step whose weights are available, each above the
/// one whose result it reads.
bool is_tower(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places, const ModelMap& map);
/// The floors, without their weights.
Tower plan_tower(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places, const ModelMap& map);
/// The word to follow if the user has chosen none: the one at or after which the model predicts something new, else the
/// most telling one on the highest floor.
int followed_by_default(const attn::Run& run, const attn::Document& document, const Tower& tower);
/// Selects the words to show when `followed` (a token of the predicting tower) is followed, and fills in the weights
/// between them.
void fill_tower(const attn::Trace& trace, int followed, Tower& tower, const std::stop_token& stop = {});

/// What the model would predict after each of its layers, at the shown words.
struct TowerLens {
    int layers = 0;
    std::vector<int> tokens;                            ///< the tokens at which it was read
    std::vector<std::vector<attn::LikelyWord>> cells;  ///< layers + 1 rows of `tokens` cells, likeliest first
    bool behind = true;                                 ///< it predicts the next word, not the word at its own place
    int followed = 0;                                   ///< the followed token
    attn::LikelyWord answer;                            ///< the final prediction there
    std::vector<attn::LensRank> way;                    ///< the rank of that answer after each layer
    /// Null: nothing was read there.
    const std::vector<attn::LikelyWord>* at(int layer, int token) const;
};
/// `tokens` is empty if the model predicts no words, or has no layers to read.
TowerLens read_tower(const attn::Run& run, const attn::Document& document, const Tower& tower, const std::stop_token& stop = {});

// Layout.

struct TowerRoom {
    Rect area;
    const Theme& theme;
    std::function<float(std::string_view, Type)> width;
    std::function<std::string(const TowerSide&, int token)> word;
    std::function<std::string(const attn::LikelyWord&)> answer;
    std::function<std::string(int from, int to)> floors_name;  ///< of floors (indices) that share a slot, or of one
    std::function<std::string(int)> head_name;                 ///< name of a head, by index
    int place = 0;       ///< the place whose floor is open if not all fit
    bool cards = true;   ///< on the right: the predictions, their ranks, and where the followed word attends
    bool others = true;  ///< arcs and tags of the words that are not followed
    float swing = 0;     ///< how far the floors are tilted towards a view from above, 0 … 1: while descending into one
};

struct TowerWord {
    int side = 0, column = 0;  ///< an index into the side's tokens
    int left_out = 0;          ///< number of omitted words; 0: it is a word itself
    float x = 0;               ///< centre of its column
    Rect rect{};
    std::string text;
    bool followed = false;
};

/// A floor, or several floors of a high tower that share the room of one.
struct TowerSlot {
    int side = 0, first = 0, last = 0;  ///< floors, indices
    bool open = true;                   ///< there is room for all lanes and tags
    float front = 0, depth = 0, shear = 0, rise = 0, high = 0;
    float left = 0, right = 0;          ///< ends of the front edge
    Rect label{};
    std::string name;
    std::vector<std::string> lines;  ///< of the label
    std::array<Point, 4> plate() const;
    Point at(float x, float t) const { return {x + shear * t, front - depth * t}; }
    bool has(int floor) const { return floor >= first && floor <= last; }
};

struct TowerArc {
    int slot = 0, floor = 0, head = 0;  ///< the head is an index into the floor's
    int query = 0, key = 0;             ///< columns
    float weight = 0, width = 0, rise = 0;
    Point from{}, to{};
    bool lit = false;      ///< of the word that is followed
    bool crosses = false;  ///< it leads to the other tower
    bool is_dot() const { return from == to; }
    /// From the query to the key.
    std::vector<Point> points() const;
};

struct TowerTag {
    int slot = 0, floor = 0, layer = 0, column = 0;
    Rect rect{};
    std::string word, chance;  ///< the chance is empty if it does not fit
    float share = 0;
    bool followed = false;
};

struct TowerName {
    int floor = 0, head = 0;
    Rect rect{};
    std::string text;
};

struct TowerPicture {
    std::vector<TowerWord> words, roof;  ///< on the ground; on top of an encoder, where the decoder's arcs arrive
    Type word_type = Type::Title, followed_type = Type::TitleStrong;
    std::vector<TowerSlot> slots;
    std::vector<TowerArc> arcs;
    std::vector<TowerTag> tags;
    std::vector<TowerName> names;
    Rect answers{}, way{}, asks{};  ///< cards; empty if there is no room or no content
    int answer_rows = 0, ask_rows = 0;
    float line = 0;  ///< height of a line on a card
    Rect area{};

    /// The position of a head's lane on its floor, at a column.
    Point lane(const Tower& tower, int slot, int floor, int head, float x) const;
    const TowerWord* word_at(int side, int column) const;
    struct Hit {
        int slot = -1, floor = -1, head = -1;
    };
    /// The lane under a point: of a highlighted arc, else of the floor.
    Hit hit(const Tower& tower, Point point) const;
};

TowerPicture lay_out_tower(const TowerRoom& room, const Tower& tower, const TowerLens* lens);

/// The largest weights from the followed word: for each lane, the largest to another word.
struct TowerAsk {
    int floor = 0, head = 0, key = 0;
    float weight = 0;
};
std::vector<TowerAsk> strongest_asks(const Tower& tower, int most);

}  // namespace app
