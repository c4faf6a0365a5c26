#include "shapes.hpp"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

namespace shapes {
namespace {

using Kind = Work::Kind;

[[noreturn]] void fail(const std::string& message) {
    std::fprintf(stderr, "%s\n", message.c_str());
    std::exit(2);
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

// Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t state) : state_(state) {}

    int below(int bound) { return static_cast<int>(((next() >> 32) * static_cast<std::uint64_t>(bound)) >> 32); }

    std::vector<int> distinct_below(int count, int bound) {
        std::vector<int> drawn;
        while (static_cast<int>(drawn.size()) < count) {
            int candidate = below(bound);
            if (std::find(drawn.begin(), drawn.end(), candidate) == drawn.end()) {
                drawn.push_back(candidate);
            }
        }
        return drawn;
    }

  private:
    std::uint64_t next() {
        state_ += 0x9E3779B97F4A7C15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

class Builder {
  public:
    void node(const std::vector<int>& prerequisites) {
        prerequisites_.insert(prerequisites_.end(), prerequisites.begin(), prerequisites.end());
        offsets_.push_back(static_cast<int>(prerequisites_.size()));
    }

    Dag build() const { return Dag(offsets_, prerequisites_); }

  private:
    std::vector<int> offsets_{0};
    std::vector<int> prerequisites_;
};

Dag chain() {
    Builder builder;
    builder.node({});
    for (int node = 1; node < 100'000; node++) {
        builder.node({node - 1});
    }
    return builder.build();
}

Dag fan(int width) {
    Builder builder;
    builder.node({});
    std::vector<int> middle;
    for (int node = 1; node <= width; node++) {
        builder.node({0});
        middle.push_back(node);
    }
    builder.node(middle);
    return builder.build();
}

Dag flood() {
    Builder builder;
    for (int node = 0; node < 100'000; node++) {
        builder.node({});
    }
    return builder.build();
}

Dag tree() {
    Builder builder;
    builder.node({});
    for (int node = 1; node < (1 << 17) - 1; node++) {
        builder.node({(node - 1) / 2});
    }
    return builder.build();
}

Dag wavefront() {
    const int side = 256;
    Builder builder;
    for (int row = 0; row < side; row++) {
        for (int column = 0; column < side; column++) {
            std::vector<int> prerequisites;
            if (column > 0) {
                prerequisites.push_back(row * side + column - 1);
            }
            if (row > 0) {
                prerequisites.push_back((row - 1) * side + column);
            }
            builder.node(prerequisites);
        }
    }
    return builder.build();
}

Dag random_dag() {
    SplitMix64 random(0x5EED0005);
    Builder builder;
    for (int node = 0; node < 50'000; node++) {
        int count = std::min(random.below(9), node);
        builder.node(random.distinct_below(count, node));
    }
    return builder.build();
}

Dag frame() {
    SplitMix64 random(0x5EED0006);
    Builder builder;
    for (int level = 0; level < 10; level++) {
        for (int node = 0; node < 10; node++) {
            std::vector<int> prerequisites = random.distinct_below(level == 0 ? 0 : 3, 10);
            for (int& prerequisite : prerequisites) {
                prerequisite += (level - 1) * 10;
            }
            builder.node(prerequisites);
        }
    }
    return builder.build();
}

struct Shape {
    std::string name;
    std::function<Dag()> dag;
    int runs_per_sample;
    // A shape that is about bodies of 1 us has no other.
    bool always_works;
    // As in the Java benchmark, whose test asserts these.
    int nodes, edges, roots, sinks;
};

const std::vector<Shape>& all_shapes() {
    static const std::vector<Shape> all{
        {"chain", chain, 1, false, 100'000, 99'999, 1, 1},
        {"fan", [] { return fan(100'000); }, 1, false, 100'002, 200'000, 1, 1},
        {"fan-1024", [] { return fan(1'024); }, 9, false, 1'026, 2'048, 1, 1},
        {"fan-64", [] { return fan(64); }, 156, false, 66, 128, 1, 1},
        {"flood", flood, 1, false, 100'000, 0, 100'000, 100'000},
        {"tree", tree, 1, false, 131'071, 131'070, 1, 65'536},
        {"wavefront", wavefront, 1, false, 65'536, 130'560, 1, 1},
        {"random", random_dag, 1, false, 50'000, 199'746, 5'524, 9'986},
        {"frame", frame, 1'000, false, 100, 270, 10, 14},
        {"frame-1us", frame, 1'000, true, 100, 270, 10, 14},
        {"efficiency-wavefront", wavefront, 1, true, 65'536, 130'560, 1, 1},
        {"efficiency-random", random_dag, 1, true, 50'000, 199'746, 5'524, 9'986},
    };
    return all;
}

const std::string fork_join_tree = "fork-join-tree";
const int tree_depth = 17;

void check_counts(const Shape& shape, const Dag& dag) {
    int edges = 0;
    for (int node = 0; node < dag.nodes(); node++) {
        edges += dag.in_degree(node);
    }
    if (dag.nodes() != shape.nodes || edges != shape.edges || static_cast<int>(dag.roots().size()) != shape.roots ||
        static_cast<int>(dag.sinks().size()) != shape.sinks) {
        fail(shape.name + " is not the published graph");
    }
}

// ---- command line ---------------------------------------------------------------------------------------------------

struct Options {
    bool quick = false;
    std::set<std::string> shapes;
    std::vector<int> workers{1, 2};
    Kind body = Kind::empty;

    bool wants(const std::string& shape) const { return shapes.empty() || shapes.count(shape) > 0; }
};

bool known(const std::string& name) {
    const std::vector<Shape>& all = all_shapes();
    return name == fork_join_tree ||
           std::any_of(all.begin(), all.end(), [&](const Shape& shape) { return shape.name == name; });
}

Options parse(int argc, char** argv) {
    const std::string usage = std::string("; usage: ") + argv[0] +
                              " [--quick] [--shape NAME]... [--workers N[,N]] [--body empty|work1us]";
    Options options;
    for (int index = 1; index < argc; index++) {
        std::string option = argv[index];
        if (option == "--quick") {
            options.quick = true;
            continue;
        }
        if (option != "--shape" && option != "--workers" && option != "--body") {
            fail("unknown option " + option + usage);
        }
        if (++index == argc) {
            fail(option + " needs a value" + usage);
        }
        std::string value = argv[index];
        if (option == "--shape") {
            if (!known(value)) {
                fail("unknown shape " + value + usage);
            }
            options.shapes.insert(value);
        } else if (option == "--workers") {
            options.workers.clear();
            std::stringstream list(value);
            for (std::string number; std::getline(list, number, ',');) {
                int count = std::atoi(number.c_str());
                if (count < 1 || count > 1024) {
                    fail("--workers " + number + " is out of range; give 1 to 1024");
                }
                options.workers.push_back(count);
            }
            if (options.workers.empty()) {
                fail("--workers needs a value" + usage);
            }
        } else if (value == "empty" || value == "work1us") {
            options.body = value == "empty" ? Kind::empty : Kind::work1us;
        } else {
            fail("unknown body " + value + "; known bodies: empty, work1us");
        }
    }
    return options;
}

// ---- sampling -------------------------------------------------------------------------------------------------------

double nanos(clockid_t clock) {
    timespec time;
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    double position = part * static_cast<double>(values.size() - 1);
    std::size_t below = static_cast<std::size_t>(position);
    std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (values[above] - values[below]) * (position - static_cast<double>(below));
}

// Prints rows as the elements of one JSON array.
class Rows {
  public:
    Rows() { std::printf("["); }
    ~Rows() {
        std::printf("\n]\n");
        std::fflush(stdout);
    }

    void measure(const Options& options, Session& session, const std::string& shape, int workers, const std::string& who,
                 Kind body, bool reruns, const char* unit, double units_per_run, int runs_per_sample) {
        const double warm_up = options.quick ? 100e6 : 500e6, sample = options.quick ? 10e6 : 40e6;
        const int samples = options.quick ? 7 : 27;
        // A first look at what is slow takes fewer samples, at least one.
        const double limit = options.quick ? 1e9 : 1e18;
        double begin = nanos(CLOCK_MONOTONIC), now = begin, fastest = 1e18;
        while (now - begin < warm_up) {
            session.run(runs_per_sample);
            double after = nanos(CLOCK_MONOTONIC);
            fastest = std::min(fastest, std::max(after - now, 1.0));
            now = after;
        }
        int runs = runs_per_sample * std::max(1, static_cast<int>((sample + fastest - 1) / fastest));
        double units = units_per_run * runs;
        std::vector<double> times;
        double processor = nanos(CLOCK_PROCESS_CPUTIME_ID);
        double first = nanos(CLOCK_MONOTONIC);
        for (int index = 0; index < samples && (index == 0 || now - first < limit); index++) {
            begin = nanos(CLOCK_MONOTONIC);
            session.run(runs);
            now = nanos(CLOCK_MONOTONIC);
            times.push_back((now - begin) / units);
        }
        processor = (nanos(CLOCK_PROCESS_CPUTIME_ID) - processor) / (units * static_cast<double>(times.size()));
        std::printf("%s\n{ \"shape\" : \"%s\", \"workers\" : %d, \"contender\" : \"%s\", \"nsPerTask\" : %.3f, "
                    "\"error\" : %.3f, \"minNsPerTask\" : %.3f, \"cpuNsPerTask\" : %.3f, \"body\" : \"%s\", "
                    "\"reruns\" : %s, \"unit\" : \"%s\" }",
                    first_ ? "" : ",", shape.c_str(), workers, who.c_str(), quantile(times, 0.5),
                    (quantile(times, 0.75) - quantile(times, 0.25)) / 2, quantile(times, 0), processor,
                    body == Kind::empty ? "empty" : "work1us", reruns ? "true" : "false", unit);
        std::fflush(stdout);
        first_ = false;
    }

  private:
    bool first_ = true;
};

void measure(const Options& options, const Shape& shape, const std::vector<Contender>& contenders, Rows& rows) {
    const Dag dag = shape.dag();
    check_counts(shape, dag);
    for (int workers : options.workers) {
        for (const Contender& contender : contenders) {
            // Only what runs each node once, after its prerequisites, has a time that is a result.
            Work checked(dag, Kind::checked);
            contender.open(dag, checked, workers)->run(3);
            checked.expect_runs(3, contender.name + " on " + shape.name);

            Kind body = shape.always_works ? Kind::work1us : options.body;
            Work work(dag, body);
            std::unique_ptr<Session> session = contender.open(dag, work, workers);
            rows.measure(options, *session, shape.name, workers, contender.name, body, contender.reruns, "task",
                         dag.nodes(), shape.runs_per_sample);
        }
    }
}

void measure(const Options& options, const std::vector<TreeContender>& trees, Rows& rows) {
    const std::uint64_t nodes = (1u << tree_depth) - 1;
    for (int workers : options.workers) {
        for (const TreeContender& contender : trees) {
            std::uint64_t sum = 0;
            std::unique_ptr<Session> session = contender.open(tree_depth, workers, sum);
            session->run(3);
            if (sum != 3 * nodes) {
                fail(contender.name + " counts other nodes than the tree has");
            }
            rows.measure(options, *session, fork_join_tree, workers, contender.name, Kind::empty, false, "node",
                         static_cast<double>(nodes), 1);
        }
    }
}

}  // namespace

// ---- graphs and their work ------------------------------------------------------------------------------------------

Dag::Dag(std::vector<int> offsets, std::vector<int> prerequisites)
    : offsets_(std::move(offsets)), prerequisites_(std::move(prerequisites)), successor_offsets_(offsets_.size()),
      successors_(prerequisites_.size()) {
    for (int prerequisite : prerequisites_) {
        successor_offsets_[prerequisite + 1]++;
    }
    for (int node = 0; node < nodes(); node++) {
        successor_offsets_[node + 1] += successor_offsets_[node];
    }
    std::vector<int> next = successor_offsets_;
    for (int node = 0; node < nodes(); node++) {
        for (int index = 0; index < in_degree(node); index++) {
            successors_[next[this->prerequisites(node)[index]]++] = node;
        }
    }
    for (int node = 0; node < nodes(); node++) {
        if (in_degree(node) == 0) {
            roots_.push_back(node);
        }
        if (out_degree(node) == 0) {
            sinks_.push_back(node);
        }
    }
}

Work::Work(const Dag& dag, Kind kind) : dag_(dag), kind_(kind) {
    if (kind == Kind::work1us) {
        for (int node = 0; node < dag.nodes(); node++) {
            bodies_.push_back({{}, static_cast<std::uint64_t>(node) + 1});
        }
    } else if (kind == Kind::checked) {
        runs_ = std::make_unique<std::atomic<int>[]>(dag.nodes());
    }
}

void Work::check(int node) {
    int run = runs_[node].load() + 1;
    for (int index = 0; index < dag_.in_degree(node); index++) {
        if (runs_[dag_.prerequisites(node)[index]].load() != run) {
            early_++;
        }
    }
    runs_[node].store(run);
}

void Work::expect_runs(int runs, const std::string& who) const {
    if (early_ != 0) {
        fail(who + " starts nodes before their prerequisites have run");
    }
    for (int node = 0; node < dag_.nodes(); node++) {
        if (runs_[node].load() != runs) {
            fail(who + " does not run every node once");
        }
    }
}

int benchmark(int argc, char** argv, const std::string& library, const std::vector<Contender>& contenders,
              const std::vector<TreeContender>& trees) {
    Options options = parse(argc, argv);
    std::fprintf(stderr, "%s, %s %s\n", library.c_str(), COMPILER, options.quick ? "(--quick: a first look)" : "");
    // Static, so that the array ends when a check fails, too.
    static Rows rows;
    for (const Shape& shape : all_shapes()) {
        if (options.wants(shape.name)) {
            measure(options, shape, contenders, rows);
        }
    }
    if (options.wants(fork_join_tree)) {
        measure(options, trees, rows);
    }
    return 0;
}

}  // namespace shapes
