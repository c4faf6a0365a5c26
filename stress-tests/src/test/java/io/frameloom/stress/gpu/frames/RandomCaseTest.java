package io.frameloom.stress.gpu.frames;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.command.QueueKind;
import io.frameloom.gpu.resource.Format;
import io.frameloom.gpu.resource.QueueSharing;
import io.frameloom.rdg.AsyncCompute;
import io.frameloom.stress.gpu.frames.GraphShape.Life;
import io.frameloom.stress.gpu.frames.GraphShape.Place;
import io.frameloom.stress.gpu.frames.GraphShape.Step;
import io.frameloom.stress.gpu.frames.GraphShape.Texels;
import io.frameloom.stress.gpu.frames.GraphShape.Words;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What random cases are made of; that they mean something is seen where they run. */
@Timeout(60)
class RandomCaseTest {
    private static final int CASES = 200;

    private static DeviceTraits traits(boolean partsOnCopyQueues, boolean exclusive) {
        return new DeviceTraits(
                List.of(QueueKind.GRAPHICS, QueueKind.GRAPHICS, QueueKind.COMPUTE, QueueKind.COMPUTE, QueueKind.COPY),
                partsOnCopyQueues,
                List.of(Format.R32_UINT, Format.R8G8B8A8_UNORM, Format.R16_UINT, Format.R32G32_UINT),
                true,
                4,
                exclusive,
                false);
    }

    @Test
    void aSeedDecidesEverything() {
        for (long seed = 0; seed < 20; seed++) {
            RandomCase first = RandomCase.of(seed, traits(true, true));
            RandomCase second = RandomCase.of(seed, traits(true, true));
            assertThat(second.kept()).isEqualTo(first.kept());
            assertThat(second.frames()).isEqualTo(first.frames());
            assertThat(second.compile().policy()).isEqualTo(first.compile().policy());
            assertThat(second.execute()).isEqualTo(first.execute());
        }
        assertThat(RandomCase.of(1, traits(true, true)).frames())
                .isNotEqualTo(RandomCase.of(2, traits(true, true)).frames());
    }

    @Test
    void everyKindOfPassIsThereOnEveryQueueThatCan() {
        Set<Object> seen = new HashSet<>();
        Set<AsyncCompute> async = new HashSet<>();
        for (long seed = 0; seed < CASES; seed++) {
            RandomCase random = RandomCase.of(seed, traits(true, true));
            async.add(random.compile().async());
            for (GraphShape shape : random.frames()) {
                for (Step step : shape.steps()) {
                    Place place = step.place();
                    seen.add(List.of(step.work().getClass(), place.queue()));
                    assertThat(place.queue() < 0
                                    || traits(true, true)
                                            .queues()
                                            .get(place.queue())
                                            .supports(step.work().kind().queue()))
                            .isTrue();
                }
                for (GraphShape.Resource resource : shape.resources()) {
                    seen.add(resource.life());
                    seen.add(List.of(resource.getClass(), resource.life(), resource.sharing()));
                }
            }
        }
        assertThat(async).containsExactlyInAnyOrder(AsyncCompute.TAGGED, AsyncCompute.ALL);
        assertThat(seen).contains((Object[]) Life.values());
        for (QueueSharing sharing : QueueSharing.values()) {
            assertThat(seen)
                    .contains(
                            List.of(Words.class, Life.EXTERNAL, sharing),
                            List.of(Words.class, Life.TRANSIENT, sharing),
                            List.of(Words.class, Life.CURRENT, sharing),
                            List.of(Texels.class, Life.EXTERNAL, sharing),
                            List.of(Texels.class, Life.TRANSIENT, sharing));
        }
        for (Class<?> work : GraphShape.Work.class.getPermittedSubclasses()) {
            Set<Object> places = Set.of(-1, 0, 1);
            assertThat(seen)
                    .containsAll(
                            places.stream().map(place -> List.of(work, place)).collect(Collectors.toSet()));
        }
        assertThat(seen)
                .contains(
                        List.of(GraphShape.Mix.class, 3),
                        List.of(GraphShape.Clear.class, 2),
                        List.of(GraphShape.Upload.class, 4),
                        List.of(GraphShape.ReadBack.class, 4));
    }

    @Test
    void partsOfTexturesStayOffCopyQueuesThatCopyWholeMips() {
        boolean parts = false;
        for (long seed = 0; seed < CASES; seed++) {
            RandomCase random = RandomCase.of(seed, traits(false, false));
            assertThat(random.kept()).noneMatch(resource -> resource.life() == Life.EXCLUSIVE);
            for (GraphShape shape : random.frames()) {
                for (Step step : shape.steps()) {
                    if (step.work() instanceof GraphShape.Upload upload
                            && !upload.target().isWhole((Texels)
                                    shape.resources().get(upload.target().resource()))) {
                        parts = true;
                        assertThat(step.place().queue()).isNotEqualTo(4);
                        assertThat(step.place().asyncCopy()).isFalse();
                    }
                }
            }
        }
        assertThat(parts).isTrue();
    }
}
