// The table of contents: read the command line and the scenario, run the study, report.
#include "sim/app/app.hpp"

int main(int argc, char** argv) {
  return toposim::sim::run_app(argc, argv);
}
