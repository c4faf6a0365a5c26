package io.frameloom.benchmarks;

import java.util.Collection;

/** What {@code bench --help} prints. */
final class Help {
    private static final String OPTIONS = """
            Measures the task graph against its rivals, whole runs by JMH, prints a table, draws a picture per family and holds the result
            against the project's targets. Without options: every shape at full length, which takes hours.

              --quick             few and short samples: a first look, no figures to publish
              --shape NAME        only this shape; give the option once per shape (default: all, listed below)
              --workers N[,N]     only these numbers of workers, 1 to %d (default: 1,2; the efficiency shapes take
                                  1, 2, 4, ... up to all processors)
              --body KIND         what each task of a graph does: empty (default), megamorphic (four classes taking
                                  turns, so that the call stays virtual) or work1us (about 1 us). Shapes that are about
                                  a certain body keep theirs
              --pinned            bind each of our workers to a core, in the rows of whole runs, which JMH times; their
                                  contenders' names end in -pinned. Where hwloc has no natives it is refused
              --json FILE         write what was measured to FILE, an array of rows {shape, workers, contender,
                                  nsPerTask, bytesPerTask, error, ...}; how they compare with the targets stands next to
                                  it, in FILE with -targets.json for .json. Missing folders are made
              --plots DIR         folder of the pictures, SVG (default: %s below the current folder). Missing folders
                                  are made
              --no-plots          draw nothing
              --from FILE         measure nothing: print, draw and judge the rows of a FILE that --json wrote, or
                                  benchmarks/rivals did; once per file to see several side by side. --shape and
                                  --workers choose among them, --quick, --body and --pinned are refused
              -h, --help          print this text

            JMH benchmarks of single operations: ./frameloom bench --jmh -l
            How small the heaps of random frames are: ./frameloom bench --heaps --help
            How long the host takes to learn that the GPU is done: ./frameloom bench --gpu --help
            Status 0, or 2 with one line on standard error when the command line is wrong; then nothing was measured.""";

    private Help() {}

    static String text(Collection<String> shapes) {
        return Options.USAGE + "\n\n" + String.format(OPTIONS, Options.MOST_WORKERS, Options.PLOTS) + "\n\nshapes: "
                + String.join(", ", shapes);
    }
}
