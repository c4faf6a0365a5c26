package io.frameloom.gpu.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.pipeline.RayTracingPipeline.RecordLimits;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.General;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.Group;
import io.frameloom.gpu.pipeline.RayTracingPipelineDescription.TrianglesHit;
import io.frameloom.gpu.pipeline.ShaderBindingTable.Region;
import io.frameloom.gpu.pipeline.ShaderBindingTable.ShaderRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Where records of binding tables lie, and what is in them. */
class ShaderBindingTableTest {
    private static ShaderSource shader(ShaderStage stage) {
        return new ShaderSource(stage.name(), stage, "");
    }

    private static final List<Group> GROUPS = List.of(
            new General("go", shader(ShaderStage.RAY_GENERATION)),
            new General("sky", shader(ShaderStage.MISS)),
            new TrianglesHit("wall", shader(ShaderStage.CLOSEST_HIT)),
            new General("call", shader(ShaderStage.CALLABLE)));

    /**
     * A pipeline of which only groups and their handles are known: those of group {@code g} are bytes of {@code g + 1}.
     * Walls have two words of data.
     */
    private record Known(RayTracingPipelineDescription description, ByteBuffer handles) implements RayTracingPipeline {
        Known(int handleBytes) {
            this(
                    new RayTracingPipelineDescription("rays", GROUPS, 1),
                    ByteBuffer.allocate(GROUPS.size() * handleBytes));
            for (int i = 0; i < handles.capacity(); i++) {
                handles.put(i, (byte) (i / handleBytes + 1));
            }
        }

        @Override
        public RecordLimits recordLimits() {
            return new RecordLimits(8, 8, 32, 64);
        }

        @Override
        public Map<String, Integer> recordBytes() {
            return Map.of("wall", 8);
        }

        @Override
        public String name() {
            return description.name();
        }

        @Override
        public List<ShaderBinding> bindings() {
            return List.of();
        }

        @Override
        public ShaderSlot slot(String name, int index) {
            throw new IllegalArgumentException(name);
        }

        @Override
        public int pushConstantBytes() {
            return 0;
        }

        @Override
        public void close() {}
    }

    /** Steps byte by byte to the next place that will do. */
    private static List<Region> model(RecordLimits limits, List<List<Integer>> data) {
        List<Region> regions = new ArrayList<>();
        long at = 0;
        for (List<Integer> kind : data) {
            while (at % limits.baseAlignment() != 0) {
                at++;
            }
            long stride = kind.isEmpty() ? 0 : limits.handle();
            for (int bytes : kind) {
                while (stride < limits.handle() + bytes || stride % limits.alignment() != 0) {
                    stride++;
                }
            }
            regions.add(new Region(at, stride, stride * kind.size()));
            at += stride * kind.size();
        }
        return regions;
    }

    @Test
    void recordsLieWhereAPlainModelPutsThem() {
        Random random = new Random(27);
        for (int round = 0; round < 2000; round++) {
            int alignment = 1 << random.nextInt(7);
            RecordLimits limits = new RecordLimits(
                    alignment * (1 + random.nextInt(3)), alignment, alignment << random.nextInt(3), 1 << 20);
            List<List<Integer>> data = new ArrayList<>();
            for (int kind = 0; kind < 4; kind++) {
                List<Integer> sizes = new ArrayList<>();
                for (int i = kind == 0 ? 1 : random.nextInt(5); i > 0; i--) {
                    sizes.add(random.nextInt(100));
                }
                data.add(sizes);
            }
            assertThat(ShaderBindingTable.layout(limits, data))
                    .as("%s %s", limits, data)
                    .isEqualTo(model(limits, data));
        }
    }

    private static ShaderRecord record(String group, int bytes, int value) {
        ByteBuffer data = ByteBuffer.allocate(bytes + 1).position(1);
        for (int i = 1; i <= bytes; i++) {
            data.put(i, (byte) value);
        }
        return new ShaderRecord(group, data);
    }

    @Test
    void recordsAreAHandleAndTheirData() {
        ShaderBindingTable table = new ShaderBindingTable(
                new Known(8),
                new ShaderRecord("go"),
                List.of(record("sky", 3, 11), record("sky", 9, 12)),
                List.of(record("wall", 8, 13)),
                List.of());
        assertThat(table.alignment()).isEqualTo(32);
        assertThat(table.regions())
                .containsExactly(
                        new Region(0, 8, 8), new Region(32, 24, 48), new Region(96, 16, 16), new Region(128, 0, 0));
        byte[] bytes = new byte[160];
        Arrays.fill(bytes, (byte) 77);
        ByteBuffer memory = ByteBuffer.wrap(bytes).position(5);
        table.write(memory);
        byte[] expected = new byte[160];
        Arrays.fill(expected, (byte) 77);
        // What the memory held before must not show between the records.
        fill(expected, 5, 128, 0);
        fill(expected, 5, 8, 1);
        fill(expected, 5 + 32, 8, 2);
        fill(expected, 5 + 40, 3, 11);
        fill(expected, 5 + 56, 8, 2);
        fill(expected, 5 + 64, 9, 12);
        fill(expected, 5 + 96, 8, 3);
        fill(expected, 5 + 104, 8, 13);
        assertThat(bytes).containsExactly(expected);
        assertThat(memory.position()).isEqualTo(5);
        assertThatThrownBy(() -> table.write(ByteBuffer.allocate((int) table.bytes() - 1)))
                .hasMessage("the binding table of pipeline 'rays' has 128 bytes, and there is room for 127");
    }

    private static void fill(byte[] bytes, int from, int count, int value) {
        for (int i = from; i < from + count; i++) {
            bytes[i] = (byte) value;
        }
    }

    private static void refused(String words, ShaderRecord generation, ShaderRecord miss, ShaderRecord hit) {
        assertThatThrownBy(
                        () -> new ShaderBindingTable(new Known(8), generation, List.of(miss), List.of(hit), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(words);
    }

    @Test
    void recordsOfOtherGroupsAndTooLargeOnesAreRefused() {
        ShaderRecord go = new ShaderRecord("go");
        ShaderRecord sky = new ShaderRecord("sky");
        ShaderRecord wall = record("wall", 8, 1);
        refused(
                "names group 'roof', which is not there; there are [go, sky, wall, call]",
                go,
                sky,
                record("roof", 1, 1));
        refused("takes group 'sky' as one of RAY_GENERATION, which it is not", sky, sky, wall);
        refused("takes group 'wall' as one of MISS, which it is not", go, wall, wall);
        refused("takes group 'call' as one of hits, which it is not", go, sky, new ShaderRecord("call"));
        refused(
                "has a record of group 'wall' with 7 bytes of data, and the shaderRecordEXT block has 8",
                go,
                sky,
                record("wall", 7, 1));
        refused("has records of 72 bytes with their handle, the device allows 64", go, sky, record("wall", 57, 1));
    }

    @Test
    void groupsOfOtherStagesAreRefused() {
        ShaderSource miss = shader(ShaderStage.MISS);
        ShaderSource generation = shader(ShaderStage.RAY_GENERATION);
        assertThatThrownBy(() -> new General("g", shader(ShaderStage.CLOSEST_HIT)))
                .hasMessage(
                        "group 'g' takes a shader of [RAY_GENERATION, MISS, CALLABLE], 'CLOSEST_HIT' is CLOSEST_HIT");
        assertThatThrownBy(() -> new TrianglesHit("g", miss))
                .hasMessage("group 'g' takes a shader of [CLOSEST_HIT], 'MISS' is MISS");
        assertThatThrownBy(() -> new TrianglesHit("g", null, miss)).hasMessageContaining("of [ANY_HIT]");
        assertThatThrownBy(() -> new RayTracingPipelineDescription.ProceduralHit("g", miss, null, null))
                .hasMessageContaining("of [INTERSECTION]");
        assertThatThrownBy(() -> new RayTracingPipelineDescription("p", List.of(new General("g", miss)), 1))
                .hasMessageContaining("has no ray generation shader");
        assertThatThrownBy(() -> new RayTracingPipelineDescription(
                        "p", List.of(new General("g", generation), new General("g", miss)), 1))
                .hasMessageContaining("has two groups named 'g'");
        assertThatThrownBy(() -> new RayTracingPipelineDescription("p", GROUPS, -1))
                .hasMessageContaining("at least 0");
    }
}
