// Dates in many spellings, converted to ISO 8601: an encoder reads characters, a decoder writes digits.
#include <fmt/format.h>

#include "core/train/drills.h"

namespace attn::train::task::dates {

extern const Task row;

namespace {

enum : std::uint8_t { kYear, kMonth, kDay };

constexpr std::array kSizes = {
    TaskSize{"usual", {"usual", "通常"}, 2500, 0.003f, 64, 64, 1, 1},
};

constexpr std::array kExamples = {
    TaskExample{"english", ">2021-05-0", "may 3, 2021", {"May 3, 2021 as ISO has it", "把 may 3, 2021 写成 ISO 格式"}},
    TaskExample{"ordinal", ">1998-10-2", "27th of october 1998", {"Which letters make the 10?", "10 是从哪些字母来的？"}},
    TaskExample{"chinese", ">2021-05-0", "2021年5月3日", {"A date in Chinese", "中文日期"}},
    TaskExample{"figures", ">2021-05-0", "二〇二一年五月三日", {"A date in Chinese figures", "汉字数字的日期"}},
};

constexpr std::string_view kMonths[] = {"january", "february", "march",     "april",   "may",      "june",
                                        "july",    "august",   "september", "october", "november", "december"};
constexpr std::string_view kFigures[] = {"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"};
constexpr int kFirstYear = 1900, kYears = 200;
/// The longest texts: "27th of september 1998", and ">2021-05-03" without its last digit.
constexpr int kLongestSpelling = 22, kLongestIso = 10;

const Vocabulary& vocabulary() {
    static const Vocabulary kWords = [] {
        Vocabulary out("0 1 2 3 4 5 6 7 8 9 - > / . , 年 月 日 十");
        out.add(" ");
        for (const std::string_view figure : kFigures) out.add(figure);
        for (const std::string_view month : kMonths)
            for (std::size_t i = 0; i < month.size(); ++i) out.add(month.substr(i, 1));
        for (const std::string_view end : {"s", "t", "n", "d", "r", "h", "o", "f"}) out.add(end);
        return out;
    }();
    return kWords;
}

int days_in(int year, int month) {
    constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return kDays[month - 1] + (month == 2 && leap ? 1 : 0);
}

/// A spelling being built character by character, with the positions of its year, month and day.
struct Spelling {
    std::vector<int> characters;
    std::vector<int> places[3];

    void put(std::string_view text, int of = -1) {
        for (std::size_t at = 0; at < text.size();) {
            std::size_t end = at + 1;
            while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) ++end;
            if (of >= 0) places[of].push_back(static_cast<int>(characters.size()));
            characters.push_back(vocabulary()[text.substr(at, end - at)]);
            at = end;
        }
    }
};

std::string ordinal(int day) {
    const char* const ends[] = {"th", "st", "nd", "rd"};
    const int last = day % 10;
    return fmt::format("{}{}", day, last > 3 || day / 10 == 1 ? "th" : ends[last]);
}
std::string in_figures(int number) {
    std::string out;
    if (number >= 20) out += kFigures[number / 10];
    if (number >= 10) out += "十";
    if (number % 10 > 0) out += kFigures[number % 10];
    return out;
}
std::string year_in_figures(int year) {
    std::string out;
    for (const char digit : std::to_string(year)) out += kFigures[digit - '0'];
    return out;
}

Spelling spell(Random& random, int year, int month, int day) {
    const std::string y = std::to_string(year), m = std::to_string(month), d = std::to_string(day);
    const std::string_view name = chance(random, 0.3) ? kMonths[month - 1].substr(0, 3) : kMonths[month - 1];
    const std::string m2 = fmt::format("{:02}", month), d2 = fmt::format("{:02}", day);
    Spelling out;
    // {text, which of the three}, in order.
    const auto say = [&](std::initializer_list<std::pair<std::string_view, int>> parts) {
        for (const auto& [text, of] : parts) out.put(text, of);
    };
    const std::string nth = ordinal(day), zy = year_in_figures(year), zm = in_figures(month), zd = in_figures(day);
    switch (below(random, 8)) {
        case 0: say({{d, kDay}, {" ", -1}, {name, kMonth}, {" ", -1}, {y, kYear}}); break;
        case 1: say({{name, kMonth}, {" ", -1}, {d, kDay}, {", ", -1}, {y, kYear}}); break;
        case 2: say({{nth, kDay}, {" of ", -1}, {name, kMonth}, {" ", -1}, {y, kYear}}); break;
        case 3: say({{d, kDay}, {".", -1}, {m, kMonth}, {".", -1}, {y, kYear}}); break;
        case 4: say({{d2, kDay}, {".", -1}, {m2, kMonth}, {".", -1}, {y, kYear}}); break;
        case 5: say({{y, kYear}, {"/", -1}, {m2, kMonth}, {"/", -1}, {d2, kDay}}); break;
        case 6: say({{y, kYear}, {"年", -1}, {m, kMonth}, {"月", -1}, {d, kDay}, {"日", -1}}); break;
        default: say({{zy, kYear}, {"年", -1}, {zm, kMonth}, {"月", -1}, {zd, kDay}, {"日", -1}});
    }
    return out;
}

/// "27th of october 1998" becomes "00th of M 0000": all digits become equal, all names of months, all Chinese figures.
std::string shape_of_date(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t taken = 0;
        for (const std::string_view month : kMonths)
            for (const std::string_view name : {month, month.substr(0, 3)})
                if (taken == 0 && text.substr(at).starts_with(name)) out += 'M', taken = name.size();
        for (const std::string_view figure : kFigures)
            if (taken == 0 && text.substr(at).starts_with(figure)) out += 'F', taken = figure.size();
        if (taken == 0 && text.substr(at).starts_with("十")) out += 'F', taken = std::string_view("十").size();
        if (taken == 0) out += text[at] >= '0' && text[at] <= '9' ? '0' : text[at], taken = 1;
        at += taken;
    }
    return out;
}

/// Whether the text is a spelling that spell() writes.
bool is_spelling(std::string_view text) {
    const std::string shape = shape_of_date(text);
    for (const std::string day : {"0", "00"}) {
        if (shape == day + " M 0000" || shape == "M " + day + ", 0000") return true;
        for (const std::string_view end : {"st", "nd", "rd", "th"})
            if (shape == day + std::string(end) + " of M 0000") return true;
        for (const std::string month : {"0", "00"})
            if (shape == day + "." + month + ".0000" || shape == "0000年" + month + "月" + day + "日") return true;
    }
    for (const std::string month : {"F", "FF"})
        for (const std::string day : {"F", "FF", "FFF"})
            if (shape == "FFFF年" + month + "月" + day + "日") return true;
    return shape == "0000/00/00";
}

Drill drill(Random& random) {
    const int year = kFirstYear + below(random, kYears), month = 1 + below(random, 12), day = 1 + below(random, days_in(year, month));
    const Spelling spelling = spell(random, year, month, day);
    Drill out;
    out.key = fmt::format("{:04}-{:02}-{:02}", year, month, day);
    out.source = spelling.characters;
    Spelling iso;
    iso.put(">" + out.key);
    out.text.assign(iso.characters.begin(), iso.characters.end() - 1);
    out.targets.assign(iso.characters.begin() + 1, iso.characters.end());
    constexpr int kPartOf[] = {kYear, kYear, kYear, kYear, -1, kMonth, kMonth, -1, kDay, kDay};
    for (int i = 0; i < kLongestIso; ++i)
        if (const int of = kPartOf[i]; of >= 0) out.looks.push_back({of, i, spelling.places[of]});
    return out;
}

FormTask form(const TaskOptions& options) {
    const TaskSize& size = chosen_size(kSizes, options);
    FormTask out;
    out.settings = fmt::format(
        R"({{"variant": "decoder", "tokenizer": "characters", "heads": {}, "layers": {}, "block": "pre_norm", "position": "learned", "ffn_width": {}}})",
        size.heads, size.layers, 2 * size.width);
    out.words = vocabulary().words();
    out.width = size.width;
    out.longest = kLongestIso;
    out.longest_source = kLongestSpelling;
    out.jobs = {{"year", {"a digit of the year looks at the year", "年份的数字看年份"}, Part::Cross, -1},
                {"month", {"a digit of the month looks at the month", "月份的数字看月份"}, Part::Cross, -1},
                {"day", {"a digit of the day looks at the day", "日子的数字看日子"}, Part::Cross, -1}};
    out.drill = drill;
    return out;
}

}  // namespace

constinit const Task row = form_row<form, row>({
    .id = "dates",
    .name = {"Dates", "日期"},
    .about = {"An encoder reads a date as people write it, in English, with dots or in Chinese, character by character; a decoder "
              "writes it in the form of ISO 8601, digit by digit.",
              "编码器逐字读入人们写的日期（英文、带点的、中文的），解码器逐位写成 ISO 8601 格式。"},
    .look_for = {"Digits of the year come to look at the year wherever it is, digits of the month at the letters of its name.",
                 "年份的数字学会看年份，不管它在哪里；月份的数字学会看月份名的字母。"},
    .sizes = kSizes,
    .examples = kExamples,
    .has_shape = is_spelling,
});

}  // namespace attn::train::task::dates
