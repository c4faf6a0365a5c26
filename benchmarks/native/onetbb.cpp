// oneTBB: the calling thread is one of the workers, as its arenas have it.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>
#include <oneapi/tbb/version.h>

#include <deque>

#include "shapes.hpp"

namespace {

namespace tbb = oneapi::tbb;
using shapes::Dag;
using shapes::Session;
using shapes::Work;

// So many threads, the caller included.
class Threads {
  public:
    explicit Threads(int workers)
        : limit_(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(workers)), arena_(workers) {}

    template <typename Body>
    void run(const Body& body) {
        arena_.execute(body);
    }

  private:
    tbb::global_control limit_;
    tbb::task_arena arena_;
};

// A flow graph of one continue_node per node.
class FlowGraph {
  public:
    FlowGraph(const Dag& dag, Work& work) : dag_(dag) {
        for (int node = 0; node < dag.nodes(); node++) {
            nodes_.emplace_back(graph_, [&work, node](const tbb::flow::continue_msg&) { work.run(node); });
            for (int index = 0; index < dag.in_degree(node); index++) {
                tbb::flow::make_edge(nodes_[dag.prerequisites(node)[index]], nodes_[node]);
            }
        }
    }

    void run() {
        for (int root : dag_.roots()) {
            nodes_[root].try_put(tbb::flow::continue_msg());
        }
        graph_.wait_for_all();
    }

  private:
    const Dag& dag_;
    tbb::flow::graph graph_;
    std::deque<tbb::flow::continue_node<tbb::flow::continue_msg>> nodes_;
};

class FlowGraphs : public Session {
  public:
    FlowGraphs(const Dag& dag, Work& work, int workers, bool reruns) : dag_(dag), work_(work), threads_(workers) {
        if (reruns) {
            // A graph belongs to the arena that it is made in.
            threads_.run([&] { built_ = std::make_unique<FlowGraph>(dag_, work_); });
        }
    }

    ~FlowGraphs() override {
        threads_.run([&] { built_.reset(); });
    }

    void run(int times) override {
        threads_.run([&] {
            for (int run = 0; run < times; run++) {
                if (built_) {
                    built_->run();
                } else {
                    FlowGraph(dag_, work_).run();
                }
            }
        });
    }

  private:
    const Dag& dag_;
    Work& work_;
    Threads threads_;
    std::unique_ptr<FlowGraph> built_;
};

// Mapped by hand onto a task group: each node counts its prerequisites. The thread that makes successors ready goes on
// with one of them and gives the rest to the group. The counters are made for every run.
class HandMapped : public Session {
  public:
    HandMapped(const Dag& dag, Work& work, int workers) : dag_(dag), work_(work), threads_(workers) {}

    // The end of a group that nobody has waited for would throw; every run waits.
    ~HandMapped() noexcept override {}

    void run(int times) override {
        threads_.run([&] {
            for (int run = 0; run < times; run++) {
                pending_ = std::make_unique<std::atomic<int>[]>(dag_.nodes());
                for (int node = 0; node < dag_.nodes(); node++) {
                    pending_[node].store(dag_.in_degree(node), std::memory_order_relaxed);
                }
                for (int root : dag_.roots()) {
                    group_.run([this, root] { follow(root); });
                }
                group_.wait();
            }
        });
    }

  private:
    void follow(int node) {
        while (node >= 0) {
            work_.run(node);
            int next = -1;
            for (int index = 0; index < dag_.out_degree(node); index++) {
                int successor = dag_.successors(node)[index];
                if (pending_[successor].fetch_sub(1, std::memory_order_acq_rel) == 1) {
                    if (next >= 0) {
                        group_.run([this, next] { follow(next); });
                    }
                    next = successor;
                }
            }
            node = next;
        }
    }

    const Dag& dag_;
    Work& work_;
    Threads threads_;
    tbb::task_group group_;
    std::unique_ptr<std::atomic<int>[]> pending_;
};

class Tree : public Session {
  public:
    Tree(int depth, int workers, std::uint64_t& sum) : depth_(depth), sum_(sum), threads_(workers) {}

    void run(int times) override {
        threads_.run([&] {
            for (int run = 0; run < times; run++) {
                sum_ += part(depth_);
            }
        });
    }

  private:
    static std::uint64_t part(int depth) {
        if (depth == 1) {
            return 1;
        }
        std::uint64_t left = 0, right = 0;
        tbb::parallel_invoke([&] { left = part(depth - 1); }, [&] { right = part(depth - 1); });
        return left + right + 1;
    }

    int depth_;
    std::uint64_t& sum_;
    Threads threads_;
};

}  // namespace

int main(int argc, char** argv) {
    return shapes::benchmark(
        argc, argv, std::string("oneTBB ") + TBB_VERSION_STRING,
        {
            {"onetbb-flow-graph", false,
             [](const Dag& dag, Work& work, int workers) {
                 return std::make_unique<FlowGraphs>(dag, work, workers, false);
             }},
            {"onetbb-task-group", false,
             [](const Dag& dag, Work& work, int workers) { return std::make_unique<HandMapped>(dag, work, workers); }},
            {"onetbb-flow-graph-rerun", true,
             [](const Dag& dag, Work& work, int workers) {
                 return std::make_unique<FlowGraphs>(dag, work, workers, true);
             }},
        },
        {{"onetbb", [](int depth, int workers, std::uint64_t& sum) {
              return std::make_unique<Tree>(depth, workers, sum);
          }}});
}
