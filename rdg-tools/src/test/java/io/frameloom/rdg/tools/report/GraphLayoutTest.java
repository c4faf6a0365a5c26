package io.frameloom.rdg.tools.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.rdg.tools.report.GraphLayout.Box;
import io.frameloom.rdg.tools.report.GraphLayout.Point;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes do not overlap, lie in their boxes, below what comes before them; edges begin and end at their nodes. */
class GraphLayoutTest {
    private static final double CLOSE = 0.01;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void randomGraphs(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int nodes = 2 + random.nextInt(60);
        GraphLayout layout = new GraphLayout();
        int[] groups = new int[nodes];
        for (int n = 0; n < nodes; n++) {
            // Neighbours share boxes, so that edges between boxes point forward too.
            groups[n] = n / 4 % 3 == 0 ? n / 4 : -1;
            layout.node(groups[n], 40 + random.nextInt(120), 20 + random.nextInt(20));
        }
        List<int[]> edges = new ArrayList<>();
        for (int to = 1; to < nodes; to++) {
            int from = random.nextInt(to);
            edges.add(new int[] {from, to});
            layout.edge(from, to);
        }
        layout.run();

        for (int a = 0; a < nodes; a++) {
            Box box = layout.box(a);
            assertThat(inside(box, new Box(0, 0, layout.width(), layout.height())))
                    .isTrue();
            if (groups[a] >= 0) {
                assertThat(inside(box, Objects.requireNonNull(layout.groups().get(groups[a]))))
                        .as("node %d in its box", a)
                        .isTrue();
            }
            for (int b = 0; b < a; b++) {
                assertThat(overlap(box, layout.box(b)))
                        .as("nodes %d and %d", a, b)
                        .isFalse();
            }
        }
        for (int e = 0; e < edges.size(); e++) {
            List<Point> path = layout.path(e);
            Box from = layout.box(edges.get(e)[0]);
            Box to = layout.box(edges.get(e)[1]);
            assertThat(touches(path.get(0), from)).as("start of edge %d", e).isTrue();
            assertThat(touches(path.get(path.size() - 1), to))
                    .as("end of edge %d", e)
                    .isTrue();
            assertThat(to.y()).isGreaterThanOrEqualTo(from.y() + from.height());
        }
    }

    private static boolean inside(Box inner, Box outer) {
        return inner.x() >= outer.x() - CLOSE
                && inner.y() >= outer.y() - CLOSE
                && inner.x() + inner.width() <= outer.x() + outer.width() + CLOSE
                && inner.y() + inner.height() <= outer.y() + outer.height() + CLOSE;
    }

    private static boolean overlap(Box a, Box b) {
        return a.x() < b.x() + b.width()
                && b.x() < a.x() + a.width()
                && a.y() < b.y() + b.height()
                && b.y() < a.y() + a.height();
    }

    private static boolean touches(Point point, Box box) {
        return inside(new Box(point.x(), point.y(), 0, 0), box);
    }
}
