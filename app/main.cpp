#include <unistd.h>

#include <iostream>
#include <string>
#include <vector>

#include "app/cli/cli.h"
#include "app/shell/signals.h"
#include "core/base/memory.h"

int main(int argc, char** argv) {
    app::begin_process();
    attn::keep_freed_memory();
    std::ios::sync_with_stdio(false);
    return attn::with_enough_stack([&] {
        const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
        app::Streams streams{std::cin, std::cout, std::cerr, isatty(STDOUT_FILENO) == 1};
        return app::run_cli(arguments, streams);
    });
}
