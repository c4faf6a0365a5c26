// Taskflow: the executor's workers run everything while the calling thread waits.
#include <taskflow/taskflow.hpp>

#include "shapes.hpp"

namespace {

using shapes::Dag;
using shapes::Session;
using shapes::Work;

// A graph of static tasks, built for every run or once.
class Graph : public Session {
  public:
    Graph(const Dag& dag, Work& work, int workers, bool reruns)
        : dag_(dag), work_(work), reruns_(reruns), executor_(static_cast<std::size_t>(workers)) {
        if (reruns) {
            build(built_);
        }
    }

    void run(int times) override {
        for (int run = 0; run < times; run++) {
            if (reruns_) {
                executor_.run(built_).wait();
            } else {
                tf::Taskflow graph;
                build(graph);
                executor_.run(graph).wait();
            }
        }
    }

  private:
    void build(tf::Taskflow& graph) {
        tasks_.resize(static_cast<std::size_t>(dag_.nodes()));
        for (int node = 0; node < dag_.nodes(); node++) {
            tasks_[node] = graph.emplace([this, node] { work_.run(node); });
            for (int index = 0; index < dag_.in_degree(node); index++) {
                tasks_[dag_.prerequisites(node)[index]].precede(tasks_[node]);
            }
        }
    }

    const Dag& dag_;
    Work& work_;
    bool reruns_;
    std::vector<tf::Task> tasks_;
    tf::Taskflow built_;
    tf::Executor executor_;
};

// Asynchronous tasks with prerequisites, which may start while the caller still launches.
class Streaming : public Session {
  public:
    Streaming(const Dag& dag, Work& work, int workers)
        : dag_(dag), work_(work), executor_(static_cast<std::size_t>(workers)) {}

    void run(int times) override {
        for (int run = 0; run < times; run++) {
            std::vector<tf::AsyncTask> tasks(static_cast<std::size_t>(dag_.nodes()));
            std::vector<tf::AsyncTask> after;
            for (int node = 0; node < dag_.nodes(); node++) {
                after.clear();
                for (int index = 0; index < dag_.in_degree(node); index++) {
                    after.push_back(tasks[dag_.prerequisites(node)[index]]);
                }
                tasks[node] =
                    executor_.silent_dependent_async([this, node] { work_.run(node); }, after.begin(), after.end());
            }
            executor_.wait_for_all();
        }
    }

  private:
    const Dag& dag_;
    Work& work_;
    tf::Executor executor_;
};

class Tree : public Session {
  public:
    Tree(int depth, int workers, std::uint64_t& sum)
        : depth_(depth), sum_(sum), executor_(static_cast<std::size_t>(workers)) {}

    void run(int times) override {
        executor_
            .async([&] {
                for (int run = 0; run < times; run++) {
                    sum_ += part(depth_);
                }
            })
            .get();
    }

  private:
    std::uint64_t part(int depth) {
        if (depth == 1) {
            return 1;
        }
        std::uint64_t left = 0;
        tf::TaskGroup group = executor_.task_group();
        group.silent_async([&] { left = part(depth - 1); });
        std::uint64_t right = part(depth - 1);
        group.corun();
        return left + right + 1;
    }

    int depth_;
    std::uint64_t& sum_;
    tf::Executor executor_;
};

}  // namespace

int main(int argc, char** argv) {
    return shapes::benchmark(
        argc, argv, std::string("Taskflow ") + tf::version(),
        {
            {"taskflow", false,
             [](const Dag& dag, Work& work, int workers) { return std::make_unique<Graph>(dag, work, workers, false); }},
            {"taskflow-streaming", false,
             [](const Dag& dag, Work& work, int workers) { return std::make_unique<Streaming>(dag, work, workers); }},
            {"taskflow-rerun", true,
             [](const Dag& dag, Work& work, int workers) { return std::make_unique<Graph>(dag, work, workers, true); }},
        },
        {{"taskflow", [](int depth, int workers, std::uint64_t& sum) {
              return std::make_unique<Tree>(depth, workers, sum);
          }}});
}
