package io.frameloom.gpu.shader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.frameloom.gpu.cache.ProgramCache;
import io.frameloom.gpu.cache.ProgramCacheOptions;
import io.frameloom.gpu.cache.disk.CanonicalFields;
import io.frameloom.gpu.cache.program.CachedPrograms;
import io.frameloom.gpu.cache.program.Compatibility;
import io.frameloom.gpu.cache.program.ProgramDriver;
import io.frameloom.gpu.cache.program.ProgramKey;
import io.frameloom.gpu.cache.program.ProgramKind;
import io.frameloom.gpu.error.ShaderCompilationException;
import io.frameloom.gpu.pipeline.ShaderBinding;
import io.frameloom.gpu.pipeline.ShaderBinding.Kind;
import io.frameloom.gpu.pipeline.ShaderSource;
import io.frameloom.gpu.pipeline.ShaderStage;
import io.frameloom.taskgraph.TaskGraph;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lwjgl.util.spvc.Spv;

/** SPIR-V that an application brings. */
@Timeout(60)
class SpirvTest {
    private static final int OP_NAME = 5;
    private static final int OP_MEMBER_NAME = 6;
    private static final int OP_ENTRY_POINT = 15;
    private static final int OP_EXECUTION_MODE = 16;

    private final ShaderCompiler compiler = new ShaderCompiler();

    @AfterEach
    void close() {
        compiler.close();
    }

    private int[] words() {
        ByteBuffer code = compiler.compile(new ShaderSource("given.comp", ShaderStage.COMPUTE, """
                        #version 450
                        layout(local_size_x = 4) in;
                        layout(set = 0, binding = 2) buffer Values { uint values[]; };
                        layout(push_constant) uniform Push { uint factor; };
                        void main() { values[gl_GlobalInvocationID.x] *= factor; }
                        """))
                .spirv();
        int[] words = new int[code.remaining() / Integer.BYTES];
        code.asIntBuffer().get(words);
        return words;
    }

    private ShaderSource source(int[] words) {
        return ShaderSource.spirv("mine.spv", ShaderStage.COMPUTE, words, "main");
    }

    /** Returns the index of the first instruction of an opcode. */
    private static int find(int[] words, int opcode) {
        int at = 5;
        while ((words[at] & 0xffff) != opcode) {
            at += words[at] >>> 16;
        }
        return at;
    }

    @Test
    void spirvHasTheSameReflectionAsItsSource() {
        ShaderReflection reflection = compiler.compile(source(words())).reflection();
        assertThat(reflection.bindings()).containsExactly(Bindings.binding("Values", 0, 2, Kind.STORAGE_BUFFER, true));
        assertThat(reflection.pushConstantBytes()).isEqualTo(4);
        assertThat(reflection.workgroup().get(0)).isEqualTo(new WorkgroupAxis(4, WorkgroupAxis.FIXED));
    }

    @Test
    void bytesOfTheOtherOrderAreTurned() {
        int[] words = words();
        ByteOrder other =
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        ByteBuffer bytes = ByteBuffer.allocate(words.length * Integer.BYTES).order(other);
        bytes.asIntBuffer().put(words);
        ShaderSource turned = ShaderSource.spirv("mine.spv", ShaderStage.COMPUTE, bytes.array(), "main");
        assertThat(compiler.compile(turned)).isSameAs(compiler.compile(source(words)));
    }

    @Test
    void theSourceKeepsItsOwnWords() {
        int[] words = words();
        ShaderSource source = source(words);
        words[0] = 0;
        assertThat(compiler.compile(source).reflection().bindings()).hasSize(1);
    }

    @Test
    void aWrongMagicNumberIsNamed() {
        int[] words = words();
        words[0] = 0x12345678;
        assertThatThrownBy(() -> compiler.compile(source(words)))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("'mine.spv'")
                .hasMessageContaining("0x12345678")
                .hasMessageContaining("word 0");
    }

    @Test
    void everyTruncationIsRefusedAndNamed() {
        byte[] bytes = new byte[words().length * Integer.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asIntBuffer().put(words());
        for (int length = 0; length < bytes.length; length += length < 40 ? 1 : 4) {
            byte[] shorter = Arrays.copyOf(bytes, length);
            assertThatThrownBy(
                            () -> compiler.compile(ShaderSource.spirv("cut.spv", ShaderStage.COMPUTE, shorter, "main")))
                    .as("%d bytes", length)
                    .isInstanceOf(ShaderCompilationException.class)
                    .hasMessageContaining("'cut.spv'");
        }
    }

    @Test
    void anInvalidInstructionIsReportedWithItsOffset() {
        int[] words = words();
        int at = find(words, OP_EXECUTION_MODE);
        words[at] = (words[at] & 0xffff0000) | 0xfff0;
        assertThatThrownBy(() -> compiler.compile(source(words)))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("'mine.spv'")
                .hasMessageContaining("(word " + at + ", byte " + 4 * at + ")");
    }

    @Test
    void whatTheRulesOfVulkanForbidIsRefused() {
        int[] words = words();
        int at = find(words, OP_ENTRY_POINT);
        words[at + 1] = 4; // fragment, without an origin
        assertThatThrownBy(() -> compiler.compile(source(words)))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("'mine.spv' is not valid SPIR-V for Vulkan 1.3");
    }

    /** What vouches for code that is at hand no more is a pipeline that was made of it, and is kept. */
    @Test
    void whatIsKnownToBeValidIsNotValidatedOnceMore() {
        int[] words = words();
        words[find(words, OP_ENTRY_POINT) + 1] = 4; // fragment, without an origin: what only the validator finds
        ShaderSource source = ShaderSource.spirv("mine.spv", ShaderStage.FRAGMENT, words, "main");
        ProgramKey shader = ShaderKeys.key(ShaderInput.of(source), ShaderKeys.compiler(ShaderTarget.VULKAN_1_3));
        Compatibility device = new Compatibility(new CanonicalFields().text("device", "one"));
        ProgramKey pipeline = new ProgramKey(ProgramKind.PIPELINE, "pipeline", device, new CanonicalFields(), shader);
        try (TaskGraph tasks = TaskGraph.builder().name("spirv").workers(1).build();
                CachedPrograms cache = CachedPrograms.open(ProgramCacheOptions.inMemory(), tasks);
                ShaderCompiler cached = new ShaderCompiler(cache)) {
            assertThatThrownBy(() -> compiler.compile(source)).isInstanceOf(ShaderCompilationException.class);
            cache.obtain(shader, new Bytes());
            cache.obtain(pipeline, new Bytes());
            cache.trimMemory(cache.statistics().memory().bytes() - 1);
            assertThat(cache.isKnown(shader)).isTrue();
            assertThat(cache.statistics().memory().programs()).isEqualTo(1);
            assertThat(cached.compile(source).reflection().pushConstantBytes()).isEqualTo(4);
        }
    }

    private static final class Bytes implements ProgramDriver<String> {
        @Override
        public String load(byte[] binary) {
            return "loaded";
        }

        @Override
        public Built<String> build() {
            return new Built<>("built", new byte[100]);
        }
    }

    @Test
    void everyFlippedWordIsRefusedOrRead() {
        int[] words = words();
        for (int i = 0; i < words.length; i++) {
            int[] damaged = words.clone();
            damaged[i] = ~damaged[i];
            try {
                compiler.compile(source(damaged));
            } catch (ShaderCompilationException refused) {
                assertThat(refused).hasMessageContaining("'mine.spv'");
            }
        }
    }

    @Test
    void anEntryPointThatIsNotThereIsAnErrorThatNamesThoseThatAre() {
        ShaderSource wrong = ShaderSource.spirv("mine.spv", ShaderStage.COMPUTE, words(), "mainCS");
        assertThatThrownBy(() -> compiler.compile(wrong))
                .isInstanceOf(ShaderCompilationException.class)
                .hasMessageContaining("no entry point 'mainCS' for stage COMPUTE")
                .hasMessageContaining("'main' (COMPUTE)");
        ShaderSource stage = ShaderSource.spirv("mine.spv", ShaderStage.VERTEX, words(), "main");
        assertThatThrownBy(() -> compiler.compile(stage))
                .hasMessageContaining("no entry point 'main' for stage VERTEX");
    }

    @Test
    void bindingsOfStrippedCodeAreNamedByTheirNumbers() {
        int[] words = words();
        int[] stripped = new int[words.length];
        int length = 5;
        System.arraycopy(words, 0, stripped, 0, length);
        for (int at = 5; at < words.length; at += words[at] >>> 16) {
            int opcode = words[at] & 0xffff;
            if (opcode != OP_NAME && opcode != OP_MEMBER_NAME) {
                System.arraycopy(words, at, stripped, length, words[at] >>> 16);
                length += words[at] >>> 16;
            }
        }
        ShaderReflection reflection =
                compiler.compile(source(Arrays.copyOf(stripped, length))).reflection();
        assertThat(reflection.bindings())
                .containsExactly(Bindings.binding("set0_binding2", 0, 2, Kind.STORAGE_BUFFER, true));
    }

    @Test
    void spirvHasNeitherIncludesNorDefinitions() {
        assertThatThrownBy(() -> source(words()).withDefines(Map.of("A", "1")))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("specialization constants");
    }

    @Test
    void theBinaryKeepsEverythingThatReflectionFound() {
        CompiledShader shader = compiler.compile(new ShaderSource("all.frag", ShaderStage.FRAGMENT, """
                #version 450
                layout(constant_id = 7) const int COUNT = 3;
                layout(constant_id = 2) const bool FLAG = true;
                layout(set = 1, binding = 3) uniform sampler2D albedo;
                layout(set = 1, binding = 4) uniform texture2D alone;
                layout(set = 1, binding = 5) uniform sampler how;
                layout(location = 2) in vec3 place;
                layout(location = 0) out uvec2 color;
                void main() {
                    color = uvec2(texture(albedo, place.xy).xy) + uvec2(FLAG ? COUNT : 0);
                    color += uvec2(texture(sampler2D(alone, how), place.xy).xy);
                }
                """));
        ShaderInput input = new ShaderInput.Glsl(
                "all.frag", ShaderStage.FRAGMENT, "main", Map.of(), IncludeClosure.of("x", "", path -> null));
        byte[] bytes = ShaderBinary.encode(shader);
        CompiledShader read = Objects.requireNonNull(ShaderBinary.decode(
                input,
                new ProgramKey(
                        ProgramKind.SHADER, "x", ShaderKeys.compiler(ShaderTarget.VULKAN_1_3), new CanonicalFields()),
                bytes));
        assertThat(read.reflection()).isEqualTo(shader.reflection());
        assertThat(read.spirv()).isEqualTo(shader.spirv());
        assertThat(read.reflection().pairs()).hasSize(1);
        assertThat(shader.reflection().constants())
                .extracting(SpecializationConstant::name)
                .containsExactly("FLAG", "COUNT");
        assertThat(shader.reflection().inputs()).hasToString("[vec3 'place' at location 2]");
        assertThat(shader.reflection().outputs()).hasToString("[uvec2 'color' at location 0]");
        for (int length = 0; length < bytes.length; length++) {
            byte[] shorter = Arrays.copyOf(bytes, length);
            assertThat(ShaderBinary.decode(input, Objects.requireNonNull(read.key()), shorter))
                    .as("%d bytes", length)
                    .isNull();
        }
    }

    @Test
    void theReflectionOfMeshShadersIsKeptWithTheirCode() {
        CompiledShader shader = compiler.compile(new ShaderSource("some.mesh", ShaderStage.MESH, """
                #version 460
                #extension GL_EXT_mesh_shader : require
                layout(local_size_x = 8, local_size_y_id = 3) in;
                layout(points, max_vertices = 60, max_primitives = 40) out;
                layout(push_constant) uniform Push { vec2 shift; };
                layout(set = 1, binding = 2) readonly buffer Places { vec4 places[]; };
                struct Payload { uint meshlets[5]; vec2 more; };
                taskPayloadSharedEXT Payload payload;
                layout(location = 1) out vec2 shades[][2];
                layout(location = 3) perprimitiveEXT out Number { uint number; vec3 color; } numbers[];
                void main() {
                    SetMeshOutputsEXT(payload.meshlets[0], 1);
                    gl_MeshVerticesEXT[0].gl_Position = places[0] + shift.xyxy;
                    gl_MeshVerticesEXT[0].gl_PointSize = 1;
                    gl_PrimitivePointIndicesEXT[0] = 0;
                    shades[0][1] = vec2(1);
                    numbers[0].number = 1;
                }
                """));
        ShaderReflection reflection = shader.reflection();
        assertThat(reflection.mesh()).isEqualTo(new MeshOutputs(60, 40, true));
        assertThat(reflection.workgroup())
                .containsExactly(new WorkgroupAxis(8, -1), new WorkgroupAxis(1, 3), new WorkgroupAxis(1, -1));
        assertThat(reflection.bindings()).extracting(ShaderBinding::name).containsExactly("Places");
        assertThat(reflection.pushConstantBytes()).isEqualTo(8);
        assertThat(reflection.inputs()).isEmpty();
        assertThat(reflection.outputs())
                .hasToString("[vec2 'shades' at location 1, vec2 'shades' at location 2, perprimitiveEXT uint"
                        + " 'Number.number' at location 3, perprimitiveEXT vec3 'Number.color' at location 4]");
        SpirvModule module = SpirvModule.of(shader);
        assertThat(module.payloadBytes(Map.of())).isEqualTo(32);
        assertThat(module.sharedBytes(Map.of())).isZero();
        assertThat(module.writes(Spv.SpvBuiltInPointSize)).isTrue();
        assertThat(module.writes(Spv.SpvBuiltInPrimitiveId)).isFalse();
        assertThat(module.builtInOutputs(false)).isEqualTo(2);
        assertThat(module.builtInOutputs(true)).isZero();
        ShaderInput input = new ShaderInput.Glsl(
                "some.mesh", ShaderStage.MESH, "main", Map.of(), IncludeClosure.of("x", "", path -> null));
        ProgramKey key = new ProgramKey(
                ProgramKind.SHADER, "x", ShaderKeys.compiler(ShaderTarget.VULKAN_1_3), new CanonicalFields());
        CompiledShader read = Objects.requireNonNull(ShaderBinary.decode(input, key, ShaderBinary.encode(shader)));
        assertThat(read.reflection()).isEqualTo(reflection);
    }

    private int[] named(String name) {
        int[] words = words();
        int length = name.getBytes(StandardCharsets.UTF_8).length / Integer.BYTES + 1;
        for (int at = find(words, OP_NAME); ; at += words[at] >>> 16) {
            ByteBuffer text =
                    ByteBuffer.allocate((words[at] >>> 16) * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            text.asIntBuffer().put(words, at, words[at] >>> 16);
            if (new String(text.array(), 8, text.capacity() - 8, StandardCharsets.UTF_8).startsWith("Values\0")) {
                ByteBuffer renamed = ByteBuffer.allocate(length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
                renamed.put(name.getBytes(StandardCharsets.UTF_8)).clear();
                int behind = at + (words[at] >>> 16);
                int[] all = new int[at + 2 + length + words.length - behind];
                System.arraycopy(words, 0, all, 0, at + 2);
                all[at] = (2 + length) << 16 | OP_NAME;
                renamed.asIntBuffer().get(all, at + 2, length);
                System.arraycopy(words, behind, all, at + 2 + length, words.length - behind);
                return all;
            }
        }
    }

    @Test
    void theLongestNamesThatSpirvHasGoThroughTheCache(@TempDir Path folder) {
        // The length of an instruction has 16 bits, and its first two words are no name.
        String name = "\u00e9".repeat(10) + "x".repeat((0xffff - 2) * Integer.BYTES - 1 - 20);
        ShaderSource source = source(named(name));
        for (long builds : new long[] {1, 0}) {
            try (TaskGraph graph = TaskGraph.builder().name("names").workers(1).build();
                    ProgramCache cache = ProgramCache.open(ProgramCacheOptions.in(folder), graph);
                    ShaderCompiler caching = new ShaderCompiler(cache, ShaderTarget.VULKAN_1_3, 1 << 24)) {
                assertThat(caching.compile(source).reflection().bindings())
                        .containsExactly(Bindings.binding(name, 0, 2, Kind.STORAGE_BUFFER, true));
                assertThat(cache.statistics().lookups().builds()).isEqualTo(builds);
            }
        }
    }

    @Test
    void aNameThatIsLongerThanTheBinaryIsDamage() {
        CompiledShader shader = compiler.compile(source(words()));
        ShaderInput input = new ShaderInput.Glsl(
                "all.comp", ShaderStage.COMPUTE, "main", Map.of(), IncludeClosure.of("x", "", path -> null));
        ProgramKey key = new ProgramKey(
                ProgramKind.SHADER, "x", ShaderKeys.compiler(ShaderTarget.VULKAN_1_3), new CanonicalFields());
        byte[] bytes = ShaderBinary.encode(shader);
        assertThat(ShaderBinary.decode(input, key, bytes)).isNotNull();
        // Behind the bytes of push constants and of records, and the number of bindings.
        int length = 3 * Integer.BYTES;
        assertThat(ByteBuffer.wrap(bytes).getInt(length)).isEqualTo("Values".length());
        for (int wrong : new int[] {-1, Integer.MIN_VALUE, bytes.length - length - 3, Integer.MAX_VALUE}) {
            ByteBuffer.wrap(bytes).putInt(length, wrong);
            assertThat(ShaderBinary.decode(input, key, bytes)).as("%d", wrong).isNull();
        }
    }
}
