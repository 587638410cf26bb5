#pragma once
// The tower: a whole model in one picture. Each attention is a floor, the words stand below as columns, each head has a
// lane on its floor, and between two words of a lane rises an arc as thick as the weight. Beside it what the model would
// answer if it ended there (the logit lens). An encoder and its decoder are two towers. What is shown is chosen here,
// of the trace; where it stands is tower_layout.cpp's; both are pure.

#include <array>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "app/screens/flow/model_map.h"
#include "app/ui/theme.h"
#include "core/analysis/prediction.h"

namespace app {

/// A head's lane: its weights, between the words that are shown.
struct TowerHead {
    attn::StepId weights = attn::kNoStep;
    int head = attn::kNoHead;
    int keys = 0;               ///< in a row of `shares`
    std::vector<float> shares;  ///< a row for each word of its tower; NaN where there is no such number
    float share(int query, int key) const { return shares[static_cast<std::size_t>(query * keys + key)]; }
};

struct TowerFloor {
    int place = 0;  ///< of the map
    int side = 0, keys_of = 0;  ///< its tower, and the one whose words answer
    int layer = 0;
    bool ends_layer = true;  ///< no floor of its layer lies above: the layer's answer stands here
    std::vector<TowerHead> heads;
    bool crosses() const { return keys_of != side; }
};

struct TowerSide {
    bool source = false;      ///< its words are the source's
    int count = 0;            ///< of all its tokens
    std::vector<int> tokens;  ///< that may be shown, in their order: of a long text those that matter most
    std::vector<int> rank;    ///< of each: 0 goes last where there is no room for all
    int asked = 0;            ///< the word whose way is lit, an index into `tokens`
    std::vector<int> floors;  ///< from below
};

struct Tower {
    std::vector<TowerSide> sides;  ///< the last one answers
    std::vector<TowerFloor> floors;
    const TowerSide& answers() const { return sides.back(); }
    int asked_token() const { return answers().tokens[static_cast<std::size_t>(answers().asked)]; }
};

/// Of longer texts so many words are shown at most.
inline constexpr int kMostTowerWords = 24;

/// Whether the places are floors: attentions of one time that hold their weights, each above the one that it reads.
bool is_tower(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places, const ModelMap& map);
/// Its floors, without their weights.
Tower plan_tower(const attn::Trace& trace, const Timeline& timeline, const std::vector<FlowPlace>& places, const ModelMap& map);
/// Where nobody has asked with a word: the one behind which, or at which, the model says something new; else that which says
/// most on the highest floor.
int asked_by_itself(const attn::Run& run, const attn::Document& document, const Tower& tower);
/// The words to be shown where `asked`, a token of the tower that answers, is followed; and all weights between them.
void fill_tower(const attn::Trace& trace, int asked, Tower& tower, const std::stop_token& stop = {});

/// What the model would answer after each of its layers, at the words that are shown.
struct TowerLens {
    int layers = 0;
    std::vector<int> tokens;                            ///< whose places were read
    std::vector<std::vector<attn::LikelyWord>> cells;  ///< layers + 1 times `tokens`, the likeliest first
    bool behind = true;                                 ///< the answer comes behind the word; else it stands at its place
    int asked = 0;                                      ///< a token
    attn::LikelyWord answer;                            ///< there, after all layers
    std::vector<attn::LensRank> way;                    ///< of that answer through the layers
    /// Null: nothing was read there.
    const std::vector<attn::LikelyWord>* at(int layer, int token) const;
};
/// Empty `tokens`: the model says no words, or has no layers to be read.
TowerLens read_tower(const attn::Run& run, const attn::Document& document, const Tower& tower, const std::stop_token& stop = {});

// Where everything stands.

struct TowerRoom {
    Rect area;
    const Theme& theme;
    std::function<float(std::string_view, Type)> width;
    std::function<std::string(const TowerSide&, int token)> word;
    std::function<std::string(const attn::LikelyWord&)> answer;
    std::function<std::string(int from, int to)> floors_name;  ///< of floors, indices: one, or several that are one slot
    std::function<std::string(int)> head_name;                 ///< of a head, from 0
    int place = 0;       ///< whose floor stands open where not all have room
    bool cards = true;   ///< at the right: the answers, their way, whom the word asked
    bool others = true;  ///< the arcs and tags of words that are not followed
    float swing = 0;     ///< how far the floors are turned to be seen from above, 0 … 1: on the way down into one
};

struct TowerWord {
    int side = 0, column = 0;  ///< an index into the side's tokens
    int left_out = 0;          ///< so many words; 0: it is a word
    float x = 0;               ///< of its column
    Rect rect{};
    std::string text;
    bool asked = false;
};

/// A floor, or several of a high tower that have one floor's room.
struct TowerSlot {
    int side = 0, first = 0, last = 0;  ///< floors, indices
    bool open = true;                   ///< there is room for all lanes and tags
    float front = 0, depth = 0, shear = 0, rise = 0, high = 0;
    float left = 0, right = 0;          ///< of the front edge
    Rect label{};
    std::string name;
    std::vector<std::string> lines;  ///< of the label
    std::array<Point, 4> plate() const;
    Point at(float x, float t) const { return {x + shear * t, front - depth * t}; }
    bool has(int floor) const { return floor >= first && floor <= last; }
};

struct TowerArc {
    int slot = 0, floor = 0, head = 0;  ///< the head as an index of the floor's
    int query = 0, key = 0;             ///< columns
    float weight = 0, width = 0, rise = 0;
    Point from{}, to{};
    bool lit = false;      ///< of the word that is followed
    bool crosses = false;  ///< over to the other tower
    bool is_dot() const { return from == to; }
    /// From the word that asks to the one that answers.
    std::vector<Point> points() const;
};

struct TowerTag {
    int slot = 0, floor = 0, layer = 0, column = 0;
    Rect rect{};
    std::string word, chance;  ///< the chance is empty where it has no room
    float share = 0;
    bool asked = false;
};

struct TowerName {
    int floor = 0, head = 0;
    Rect rect{};
    std::string text;
};

struct TowerPicture {
    std::vector<TowerWord> words, roof;  ///< on the ground; on top of an encoder, where the decoder's lines arrive
    Type word_type = Type::Title, asked_type = Type::TitleStrong;
    std::vector<TowerSlot> slots;
    std::vector<TowerArc> arcs;
    std::vector<TowerTag> tags;
    std::vector<TowerName> names;
    Rect answers{}, way{}, asks{};  ///< cards; empty: there is no room, or nothing for them
    int answer_rows = 0, ask_rows = 0;
    float line = 0;  ///< of a card
    Rect area{};

    const TowerTag* tag_of(int floor, int column) const;
    /// Where a head's lane stands on its floor, at a column.
    Point lane(const Tower& tower, int slot, int floor, int head, float x) const;
    const TowerWord* word_at(int side, int column) const;
    struct Hit {
        int slot = -1, floor = -1, head = -1;
    };
    /// The lane under a point: of an arc that is lit, else of the floor.
    Hit hit(const Tower& tower, Point point) const;
};

TowerPicture lay_out_tower(const TowerRoom& room, const Tower& tower, const TowerLens* lens);

/// The strongest answers that the followed word had: of each lane its largest weight to another word.
struct TowerAsk {
    int floor = 0, head = 0, key = 0;
    float weight = 0;
};
std::vector<TowerAsk> strongest_asks(const Tower& tower, int most);

}  // namespace app
