#include "app/shell/signals.h"

#include <csignal>
#include <initializer_list>

namespace app {

void take_write_signals_as_errors() {
    struct sigaction action {};
    action.sa_handler = SIG_IGN;
    sigemptyset(&action.sa_mask);
    for (const int signal : {SIGXFSZ, SIGPIPE}) sigaction(signal, &action, nullptr);
}

}  // namespace app
