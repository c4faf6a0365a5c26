package io.frameloom.gpu.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.Capability;
import io.frameloom.gpu.command.CommandList;
import io.frameloom.gpu.record.CommandRig.Backend;
import io.frameloom.gpu.resource.Buffer;
import io.frameloom.gpu.resource.BufferUsage;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What ray-tracing pipelines see and what they refuse. */
@Timeout(100)
class RayTracingContractTest {
    private static CommandRig rig(Backend backend) {
        return new CommandRig(backend, null, Set.of(Capability.RAY_TRACING_PIPELINES));
    }

    private static int[] picture(CommandRig rig, RayScene scene, Consumer<CommandList> trace) {
        Buffer host = rig.readback(4L * RayScene.SIDE * RayScene.SIDE);
        rig.execute(list -> {
            scene.bind(list);
            trace.accept(list);
            CommandRig.full(list);
            list.copyBuffer(scene.hits, 0, host, 0, 4L * RayScene.SIDE * RayScene.SIDE);
            CommandRig.full(list);
        });
        return CommandRig.words(host);
    }

    @ParameterizedTest
    @EnumSource
    void raysOfAllStagesSeeWhatASearchSees(Backend backend) {
        try (CommandRig rig = rig(backend)) {
            RayScene scene = new RayScene(rig);
            int[] direct = picture(
                    rig,
                    scene,
                    list -> list.traceRays(scene.table, scene.memory, 0, RayScene.SIDE, RayScene.SIDE, 1));
            Buffer size = rig.upload(new int[] {RayScene.SIDE, RayScene.SIDE, 1}, BufferUsage.INDIRECT);
            int[] indirect =
                    picture(rig, scene, list -> list.traceRaysIndirect(scene.table, scene.memory, 0, size, 0));
            if (rig.device.capabilities().renders()) {
                int[] expected = RayScene.expected();
                // Each instance is seen, in light and in shadow, and so is the sky.
                assertThat(Arrays.stream(expected).map(word -> word >> 8 & 0xF).distinct())
                        .contains(7, 8, 9, 10, 0xF);
                assertThat(Arrays.stream(expected).map(word -> word >> 24).distinct())
                        .containsExactlyInAnyOrder(0, 1);
                assertThat(direct).containsExactly(expected);
                assertThat(indirect).containsExactly(expected);
            }
        }
    }
}
