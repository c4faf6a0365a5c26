package io.frameloom.gpu.check.judge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions against a model that has a value for each cell. */
class RegionsTest {
    private static final int STEPS = 2_000;

    private record Cell(long low, int layer, int plane) {}

    private static Box random(SplittableRandom random, boolean texture) {
        int mip = random.nextInt(5);
        int layer = texture ? random.nextInt(12) : 0;
        int plane = texture ? random.nextInt(2) : 0;
        return new Box(
                mip,
                mip + 1 + random.nextInt(5 - mip),
                layer,
                texture ? layer + 1 + random.nextInt(12 - layer) : 1,
                plane,
                texture ? plane + 1 + random.nextInt(2 - plane) : 1);
    }

    private static void put(Map<Cell, Boolean> model, Box box, boolean value) {
        for (long low = box.low(); low < box.high(); low++) {
            for (int layer = box.layer(); layer < box.layerEnd(); layer++) {
                for (int plane = box.plane(); plane < box.planeEnd(); plane++) {
                    model.put(new Cell(low, layer, plane), value);
                }
            }
        }
    }

    private static Map<Cell, Boolean> cells(List<Region> regions) {
        Map<Cell, Boolean> cells = new HashMap<>();
        int sum = 0;
        for (Region region : regions) {
            int before = cells.size();
            Map<Cell, Boolean> own = new HashMap<>();
            put(own, region.box(), region.defined);
            cells.putAll(own);
            sum += own.size();
            assertThat(cells).hasSize(before + own.size());
        }
        assertThat(cells).hasSize(sum);
        return cells;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachCellHasTheValueThatItWasGiven(boolean texture) {
        SplittableRandom random = new SplittableRandom(5);
        Box all = new Box(0, 5, 0, texture ? 12 : 1, 0, texture ? 2 : 1);
        Regions regions = new Regions(texture, new Region(all, false));
        Map<Cell, Boolean> model = new HashMap<>();
        put(model, all, false);
        int joined = 0;
        for (int i = 0; i < STEPS; i++) {
            Box box = random.nextInt(20) == 0 ? all : random(random, texture);
            List<Region> selected = regions.select(box);
            Map<Cell, Boolean> wanted = new HashMap<>();
            put(wanted, box, true);
            assertThat(cells(selected).keySet()).isEqualTo(wanted.keySet());
            boolean value = random.nextInt(3) > 0;
            if (random.nextBoolean()) {
                selected = regions.unite(box, selected.get(0));
                assertThat(cells(selected).keySet()).isEqualTo(wanted.keySet());
            }
            selected.forEach(region -> region.defined = value);
            put(model, box, value);
            if (i % 7 == 0) {
                regions.retire(region -> {});
                joined += regions.all().size() == 1 ? 1 : 0;
            }
            assertThat(cells(regions.all())).isEqualTo(model);
            if (i % 50 == 0) {
                regions = new Regions(regions);
            }
        }
        assertThat(joined).isPositive();
    }
}
