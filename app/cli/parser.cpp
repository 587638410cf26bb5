#include "app/cli/parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/io/safe_text.h"

namespace app {
namespace {

CLI::Validator validator(const ValueCheck& check) {
    // The message follows the option's name; the empty description keeps the library's own help text out of it.
    return CLI::Validator([check](const std::string& value) { return check(value); }, "");
}

/// One of `choices`; the message lists them.
ValueCheck one_of(std::vector<std::string_view> choices) {
    return [choices = std::move(choices)](const std::string& value) {
        if (std::find(choices.begin(), choices.end(), value) != choices.end()) return std::string();
        return fmt::format("there is no {}; choose one of {}", attn::in_quotes(value), fmt::join(choices, ", "));
    };
}

double checked_number(const std::string& value) { return number_of(value).value_or(0); }

}  // namespace

struct Parser::Impl {
    CLI::App app;
};

std::optional<double> number_of(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
    return number;
}

ValueCheck number_between(double low, double high) {
    return [low, high](const std::string& value) {
        const auto number = number_of(value);
        if (number && *number >= low && *number <= high) return std::string();
        return fmt::format("{} is not possible; take a number from {} to {}", attn::in_quotes(value), low, high);
    };
}

ValueCheck whole_between(int low, int high) {
    return [low, high](const std::string& value) {
        const auto number = number_of(value);
        if (number && *number >= low && *number <= high && *number == std::floor(*number)) return std::string();
        return fmt::format("{} is not possible; take a whole number from {} to {}", attn::in_quotes(value), low, high);
    };
}

std::vector<std::string> Option::names() const {
    std::vector<std::string> out(1);
    for (const char c : name)
        if (c == ',')
            out.emplace_back();
        else
            out.back() += c;
    return out;
}

Parser::Parser() : impl_(std::make_unique<Impl>()) {
    options_.push_back({.name = "-h,--help", .help = "Prints this page."});
    impl_->app.set_help_flag(options_.front().name);
}

Parser::~Parser() = default;

void Parser::add_value(Option option, const std::function<void(const std::string&)>& take) {
    CLI::Option* added = impl_->app.add_option_function<std::string>(option.name, take);
    // An empty value is a mistake in a script ("$OUT" unset), not a request for the default.
    if (!option.is_argument() && !option.may_be_empty)
        added->check(CLI::Validator(
            [](const std::string& value) { return value.empty() ? std::string("it is empty; leave the option out, or give it a value") : std::string(); },
            ""));
    if (option.check) added->check(validator(option.check));
    if (!option.choices.empty()) added->check(validator(one_of(option.choices)));
    added->required(option.required);
    options_.push_back(std::move(option));
}

void Parser::add(Option option, std::string& target) {
    add_value(std::move(option), [&target](const std::string& value) { target = value; });
}

void Parser::add(Option option, std::optional<std::string>& target) {
    add_value(std::move(option), [&target](const std::string& value) { target = value; });
}

void Parser::add(Option option, int& target) {
    add_value(std::move(option), [&target](const std::string& value) { target = int(checked_number(value)); });
}

void Parser::add(Option option, float& target) {
    add_value(std::move(option), [&target](const std::string& value) { target = float(checked_number(value)); });
}

void Parser::add(Option option, std::optional<float>& target) {
    add_value(std::move(option), [&target](const std::string& value) { target = float(checked_number(value)); });
}

void Parser::add(Option option, std::optional<double>& target) {
    add_value(std::move(option), [&target](const std::string& value) { target = checked_number(value); });
}

void Parser::add(Option option, std::vector<std::string>& target) {
    CLI::Option* added = impl_->app.add_option(option.name, target);
    if (!option.is_argument()) added->allow_extra_args(false);
    added->required(option.required);
    option.repeated = true;
    options_.push_back(std::move(option));
}

void Parser::add(Option option, bool& target) {
    impl_->app.add_flag(option.name, target);
    options_.push_back(std::move(option));
}

Parser::Outcome Parser::parse(std::span<const std::string> arguments) {
    const auto find = [&](const std::string& name) {
        return impl_->app.get_option(name.substr(name.find(',') == std::string::npos ? 0 : name.find(',') + 1));
    };
    for (const Option& option : options_) {
        for (const std::string& other : option.excludes) find(option.name)->excludes(find(other));
        for (const std::string& other : option.needs) find(option.name)->needs(find(other));
    }
    // The library takes its arguments in reverse order.
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        impl_->app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        return {Wish::Help};
    } catch (const CLI::ExtrasError&) {
        const std::vector<std::string> left = impl_->app.remaining();
        const bool words = std::none_of(left.begin(), left.end(), [](const std::string& word) { return word.starts_with('-'); });
        const bool takes_text = std::any_of(options_.begin(), options_.end(), [](const Option& option) { return option.name == "--text"; });
        // The library's own message has them in reverse order.
        return {Wish::Error, fmt::format("not expected here: {}{}", fmt::join(left, " "), words && takes_text ? ". A text goes behind --text." : "")};
    } catch (const CLI::ParseError& error) {
        return {Wish::Error, error.what()};
    }
    return {};
}

}  // namespace app
