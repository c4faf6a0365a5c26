package io.frameloom.gpu.check.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.check.Fakes;
import io.frameloom.gpu.resource.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlacementsTest {
    private static final int MANY = 16_000;

    private static final Fakes.Heap HEAP = new Fakes.Heap();

    private int looks;

    private Resource.Placement looked(Resource.Placement placement) {
        looks++;
        return placement;
    }

    @Test
    void findsWhatOverlapsAndNothingElse() {
        SplittableRandom random = new SplittableRandom(3);
        Placements<Resource.Placement> placements = new Placements<>(placement -> placement);
        List<Resource.Placement> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            Resource.Placement placement =
                    placement(random.nextInt(1 << 12), 1 + random.nextInt(1 << random.nextInt(10)));
            if (i % 3 == 2) {
                placements.remove(all.remove(random.nextInt(all.size())));
            }
            List<Resource.Placement> found = new ArrayList<>();
            placements.overlapping(placement, found::add);
            assertThat(found)
                    .containsExactlyInAnyOrderElementsOf(
                            all.stream().filter(placement::overlaps).toList());
            placements.add(placement);
            all.add(placement);
        }
        all.forEach(placements::remove);
        assertThat(placements.isEmpty()).isTrue();
    }

    /** Neighbours of about one size and one that is much larger: the number of others does not matter. */
    @Test
    void looksAtFew() {
        Placements<Resource.Placement> placements = new Placements<>(this::looked);
        for (int i = 0; i < MANY; i++) {
            placements.add(placement(100L * i, 60 + i % 40));
        }
        placements.add(placement(0, 1_000));
        looks = 0;
        List<Resource.Placement> found = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            placements.overlapping(placement(100L * i, 50), found::add);
        }
        assertThat(found).hasSize(MANY + 10);
        assertThat(looks).isLessThan(8 * MANY);
    }

    private static Resource.Placement placement(long offset, long bytes) {
        return new Resource.Placement(HEAP, offset, bytes);
    }
}
