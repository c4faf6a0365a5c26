package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.streaming.ResidencyPolicy.Change;
import io.frameloom.testing.TestEffort;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The budget holds in every frame, and what is wished for long enough comes to rest. */
class ResidencyPolicyTest {
    private static final int LOAD_BYTES = 30_000;

    /** Textures whose loads and frees take a few frames. */
    private static final class Model {
        final List<Residency> textures = new ArrayList<>();
        final long budget;
        private final ResidencyPolicy policy;
        private final Random random;
        private final Deque<Runnable> later = new ArrayDeque<>();
        private long existing;
        private long leaving;
        private long loading;
        private long frame;

        Model(Random random, long budget) {
            this.random = random;
            this.budget = budget;
            this.policy = new ResidencyPolicy(budget, LOAD_BYTES);
        }

        Residency add(int priority, int levels, int tail, boolean isSparse) {
            long[] images = new long[levels];
            long[] loads = new long[levels];
            for (int level = levels - 1; level >= 0; level--) {
                loads[level] = 64L << 2 * (levels - 1 - level);
                images[level] = loads[level] + (level + 1 < levels ? images[level + 1] : 0);
            }
            Residency texture = new Residency(textures.size(), priority, tail, isSparse, images, loads);
            textures.add(texture);
            return texture;
        }

        /** Runs a frame; returns how much was changed or is under way. */
        int frame(int[] wishes) {
            frame++;
            int ends = random.nextInt(4);
            while (ends-- > 0 && !later.isEmpty()) {
                later.removeFirst().run();
            }
            for (Residency each : textures) {
                each.wish(wishes[each.index], frame);
            }
            List<Change> changes = policy.decide(textures, existing, leaving, loading);
            for (Change change : changes) {
                Residency texture = change.texture();
                existing += texture.needBytes(change.level());
                if (change.level() > texture.resident) {
                    assertThat(texture.isBusy).isFalse();
                    free(texture.leftBytes(change.level()));
                    texture.resident = change.level();
                    if (texture.isSparse) {
                        texture.isBusy = true;
                        later.add(() -> texture.isBusy = false);
                    }
                } else {
                    load(texture, change.level());
                }
            }
            assertThat(existing).isLessThanOrEqualTo(budget);
            return changes.size() + later.size();
        }

        private void load(Residency texture, int level) {
            long bytes = texture.nextLoad();
            texture.isBusy = true;
            loading += bytes;
            later.add(() -> {
                texture.isBusy = false;
                loading -= bytes;
                free(texture.leftBytes(level));
                texture.resident = level;
            });
        }

        private void free(long bytes) {
            leaving += bytes;
            later.add(() -> {
                leaving -= bytes;
                existing -= bytes;
            });
        }

        /** Runs frames until nothing changes any more. */
        void rest(int[] wishes) {
            int quiet = 0;
            for (int i = 0; quiet < 2 * Residency.PATIENCE; i++) {
                assertThat(i).as("frames until nothing changes").isLessThan(20_000);
                quiet = frame(wishes) == 0 ? quiet + 1 : 0;
            }
        }
    }

    @Test
    void theBudgetHoldsAndWishesComeToRest() {
        for (int seed = 0; seed < TestEffort.of(60, 3000); seed++) {
            Random random = new Random(seed);
            int count = 1 + random.nextInt(20);
            Model model = new Model(random, 40_000 + random.nextInt(400_000));
            for (int i = 0; i < count; i++) {
                int levels = 1 + random.nextInt(6);
                model.add(random.nextInt(2), levels, Math.max(levels - 1 - random.nextInt(3), 0), random.nextBoolean());
            }
            long tails = model.textures.stream()
                    .mapToLong(each -> each.imageBytes(each.tail))
                    .sum();
            if (tails > model.budget) {
                continue;
            }
            int[] wishes = new int[count];
            for (int turn = 0; turn < 6; turn++) {
                for (int i = 0; i < count; i++) {
                    wishes[i] = random.nextInt(8);
                }
                for (int i = random.nextInt(100); i > 0; i--) {
                    model.frame(wishes);
                }
            }
            model.rest(wishes);
            for (Residency each : model.textures) {
                assertThat(each.resident).as("seed %d", seed).isLessThanOrEqualTo(each.tail);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wishesThatFitAreFulfilledByWhatNobodyWishesAnyMore(boolean isSparse) {
        Model model = new Model(new Random(1), 8 * 21_824);
        for (int i = 0; i < 16; i++) {
            model.add(0, 5, 3, isSparse);
        }
        int[] wishes = new int[16];
        for (int first = 0; first < 16; first += 4) {
            for (int i = 0; i < 16; i++) {
                wishes[i] = i >= first && i < first + 4 ? 0 : 4;
            }
            model.rest(wishes);
            for (int i = first; i < first + 4; i++) {
                assertThat(model.textures.get(i).resident).isZero();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void higherPriorityTakesFromLower(boolean isSparse) {
        Model model = new Model(new Random(1), 40_000);
        Residency low = model.add(0, 5, 4, isSparse);
        model.rest(new int[] {0});
        assertThat(low.resident).isZero();
        Residency high = model.add(1, 5, 4, isSparse);
        model.rest(new int[] {0, 0});
        assertThat(high.resident).isZero();
        assertThat(low.resident).isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void equalWishesShareWhatThereIs(boolean isSparse) {
        Model model = new Model(new Random(1), 40_000);
        model.add(0, 5, 4, isSparse);
        model.add(0, 5, 4, isSparse);
        model.add(0, 5, 4, isSparse);
        model.rest(new int[] {0, 0, 0});
        assertThat(model.textures).allSatisfy(each -> assertThat(each.lack()).isBetween(0, 1));
    }

    /** What loses a level needs no room beside itself. */
    @Test
    void whatIsSparseUsesAllOfABudget() {
        Model model = new Model(new Random(1), 21_824 + 5440);
        Residency first = model.add(0, 5, 4, true);
        model.rest(new int[] {0});
        assertThat(first.resident).isZero();
        assertThat(model.existing).isEqualTo(21_824);
        Residency second = model.add(1, 5, 4, true);
        model.rest(new int[] {0, 0});
        assertThat(second.resident).isZero();
        assertThat(first.resident).isEqualTo(1);
        assertThat(model.existing).isEqualTo(21_824 + 5440);
    }

    @Test
    void aGlanceAsideDropsNothing() {
        Residency texture = new Residency(0, 0, 3, false, new long[5], new long[5]);
        texture.wish(0, 1);
        for (int frame = 2; frame <= 1 + Residency.PATIENCE; frame++) {
            texture.wish(frame == 10 ? 1 : 4, frame);
            assertThat(texture.wished()).isZero();
        }
        texture.wish(4, 2 + Residency.PATIENCE);
        assertThat(texture.wished()).isEqualTo(1); // the finest since
    }
}
