// The shapes of the Java benchmark and the way it samples, for schedulers written in C++. The packages chain, fan, flood,
// tree, wavefront, randomdag, frame and forkjointree have the originals: sizes, seeds and the generator are theirs.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace shapes {

// An immutable directed acyclic graph in compressed rows. Every prerequisite of a node has a smaller number.
class Dag {
  public:
    Dag(std::vector<int> offsets, std::vector<int> prerequisites);

    int nodes() const { return static_cast<int>(offsets_.size()) - 1; }
    int in_degree(int node) const { return offsets_[node + 1] - offsets_[node]; }
    const int* prerequisites(int node) const { return &prerequisites_[offsets_[node]]; }
    int out_degree(int node) const { return successor_offsets_[node + 1] - successor_offsets_[node]; }
    const int* successors(int node) const { return &successors_[successor_offsets_[node]]; }
    const std::vector<int>& roots() const { return roots_; }
    const std::vector<int>& sinks() const { return sinks_; }

  private:
    std::vector<int> offsets_;
    std::vector<int> prerequisites_;
    std::vector<int> successor_offsets_;
    std::vector<int> successors_;
    std::vector<int> roots_;
    std::vector<int> sinks_;
};

// What the nodes of a graph do.
class Work {
  public:
    enum class Kind { empty, work1us, checked };

    Work(const Dag& dag, Kind kind);

    void run(int node) {
        if (kind_ == Kind::work1us) {
            bodies_[node].value = xorshift(bodies_[node].value);
        } else if (kind_ == Kind::checked) {
            check(node);
        }
    }

    // Ends the program unless every node has run that often, each time after its prerequisites.
    void expect_runs(int runs, const std::string& who) const;

  private:
    // Of the size of a Java body, so that as many nodes share a cache line.
    struct Body {
        std::uint64_t header[2];
        std::uint64_t value;
    };

    // 600 dependent steps.
    static std::uint64_t xorshift(std::uint64_t x) {
        for (int step = 0; step < 600; step++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }
        return x;
    }

    void check(int node);

    const Dag& dag_;
    Kind kind_;
    std::vector<Body> bodies_;
    std::unique_ptr<std::atomic<int>[]> runs_;
    std::atomic<int> early_{0};
};

// Something ready to run on threads of its own.
class Session {
  public:
    virtual ~Session() = default;

    // Runs it again and again, each run complete before the next begins.
    virtual void run(int times) = 0;
};

// A way to run a graph.
struct Contender {
    std::string name;
    // True when the graph is built once and run again and again, false when every run builds it anew.
    bool reruns;
    std::function<std::unique_ptr<Session>(const Dag&, Work&, int workers)> open;
};

// A way to run the binary tree whose inner nodes fork one half, do the other and join.
struct TreeContender {
    std::string name;
    // Each run adds the number of nodes to the sum.
    std::function<std::unique_ptr<Session>(int depth, int workers, std::uint64_t& sum)> open;
};

// The program: measures what the command line asks for and prints rows as "bench --json" writes them.
int benchmark(int argc, char** argv, const std::string& library, const std::vector<Contender>& contenders,
              const std::vector<TreeContender>& trees);

}  // namespace shapes
