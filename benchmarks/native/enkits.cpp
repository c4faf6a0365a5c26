// enkiTS: the thread that opens the scheduler is one of the workers.
#include <TaskScheduler.h>

#include "shapes.hpp"

namespace {

using shapes::Dag;
using shapes::Session;
using shapes::Work;

class Node : public enki::ITaskSet {
  public:
    void prepare(Work& work, int node, int prerequisites) {
        work_ = &work;
        node_ = node;
        dependencies_ = std::make_unique<enki::Dependency[]>(static_cast<std::size_t>(prerequisites));
    }

    void after(int index, const enki::ICompletable& prerequisite) {
        SetDependency(dependencies_[index], &prerequisite);
    }

    void ExecuteRange(enki::TaskSetPartition, std::uint32_t) override {
        if (work_ != nullptr) {
            work_->run(node_);
        }
    }

  private:
    Work* work_ = nullptr;
    int node_ = 0;
    std::unique_ptr<enki::Dependency[]> dependencies_;
};

// One task set per node, and one after all sinks to wait for.
class TaskSets {
  public:
    TaskSets(const Dag& dag, Work& work)
        : dag_(dag), end_dependencies_(dag.sinks().size()),
          // Destroyed from the last to the first, so a prerequisite outlives what depends on it.
          nodes_(std::make_unique<Node[]>(static_cast<std::size_t>(dag.nodes()))) {
        for (int node = 0; node < dag.nodes(); node++) {
            nodes_[node].prepare(work, node, dag.in_degree(node));
            for (int index = 0; index < dag.in_degree(node); index++) {
                nodes_[node].after(index, nodes_[dag.prerequisites(node)[index]]);
            }
        }
        for (std::size_t index = 0; index < end_dependencies_.size(); index++) {
            end_.SetDependency(end_dependencies_[index], &nodes_[dag.sinks()[index]]);
        }
    }

    void run(enki::TaskScheduler& scheduler) {
        for (int root : dag_.roots()) {
            scheduler.AddTaskSetToPipe(&nodes_[root]);
        }
        scheduler.WaitforTask(&end_);
    }

  private:
    class End : public enki::ITaskSet {
      public:
        void ExecuteRange(enki::TaskSetPartition, std::uint32_t) override {}
    };

    const Dag& dag_;
    End end_;
    std::vector<enki::Dependency> end_dependencies_;
    std::unique_ptr<Node[]> nodes_;
};

class Graph : public Session {
  public:
    Graph(const Dag& dag, Work& work, int workers, bool reruns) : dag_(dag), work_(work) {
        scheduler_.Initialize(static_cast<std::uint32_t>(workers));
        if (reruns) {
            built_ = std::make_unique<TaskSets>(dag, work);
        }
    }

    void run(int times) override {
        for (int run = 0; run < times; run++) {
            if (built_) {
                built_->run(scheduler_);
            } else {
                TaskSets(dag_, work_).run(scheduler_);
            }
        }
    }

  private:
    const Dag& dag_;
    Work& work_;
    std::unique_ptr<TaskSets> built_;
    enki::TaskScheduler scheduler_;
};

class Tree : public Session {
  public:
    Tree(int depth, int workers, std::uint64_t& sum) : depth_(depth), sum_(sum) {
        scheduler_.Initialize(static_cast<std::uint32_t>(workers));
    }

    void run(int times) override {
        for (int run = 0; run < times; run++) {
            Part whole(scheduler_, depth_);
            whole.compute();
            sum_ += whole.answer;
        }
    }

  private:
    class Part : public enki::ITaskSet {
      public:
        Part(enki::TaskScheduler& scheduler, int depth) : scheduler_(scheduler), depth_(depth) {}

        void compute() {
            if (depth_ == 1) {
                answer = 1;
                return;
            }
            Part left(scheduler_, depth_ - 1);
            scheduler_.AddTaskSetToPipe(&left);
            Part right(scheduler_, depth_ - 1);
            right.compute();
            scheduler_.WaitforTask(&left);
            answer = left.answer + right.answer + 1;
        }

        void ExecuteRange(enki::TaskSetPartition, std::uint32_t) override { compute(); }

        std::uint64_t answer = 0;

      private:
        enki::TaskScheduler& scheduler_;
        int depth_;
    };

    int depth_;
    std::uint64_t& sum_;
    enki::TaskScheduler scheduler_;
};

}  // namespace

int main(int argc, char** argv) {
    return shapes::benchmark(
        argc, argv, "enkiTS",
        {
            {"enkits", false,
             [](const Dag& dag, Work& work, int workers) { return std::make_unique<Graph>(dag, work, workers, false); }},
            {"enkits-rerun", true,
             [](const Dag& dag, Work& work, int workers) { return std::make_unique<Graph>(dag, work, workers, true); }},
        },
        {{"enkits", [](int depth, int workers, std::uint64_t& sum) {
              return std::make_unique<Tree>(depth, workers, sum);
          }}});
}
