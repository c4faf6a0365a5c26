package io.frameloom.gpu.shader;

import io.frameloom.gpu.Format;
import io.frameloom.gpu.ShaderBinding;
import io.frameloom.gpu.ShaderSource;
import io.frameloom.gpu.cache.ProgramKey;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lwjgl.BufferUtils;

/**
 * A compiled shader as bytes, little-endian: bytes of push constants, the bindings, the SPIR-V words. The resources are
 * kept with the code, so that a start with a full cache does not have to find them again. Stateless.
 */
final class ShaderBinary {
    private static final int SPIRV_MAGIC = 0x07230203;

    private ShaderBinary() {}

    static byte[] encode(CompiledShader shader) {
        ByteBuffer code = shader.spirv();
        List<byte[]> names = new ArrayList<>();
        int bytes = 3 * Integer.BYTES + code.remaining();
        for (ShaderBinding binding : shader.reflection().bindings()) {
            byte[] name = binding.name().getBytes(StandardCharsets.UTF_8);
            names.add(name);
            bytes += 7 * Integer.BYTES + name.length;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(shader.reflection().pushConstantBytes()).putInt(names.size());
        for (int i = 0; i < names.size(); i++) {
            ShaderBinding binding = shader.reflection().bindings().get(i);
            out.putInt(names.get(i).length).put(names.get(i));
            out.putInt(binding.set()).putInt(binding.binding());
            out.putInt(binding.kind().ordinal()).putInt(binding.written() ? 1 : 0);
            Format format = binding.storageFormat();
            out.putInt(binding.count()).putInt(format == null ? -1 : format.ordinal());
        }
        out.putInt(code.remaining());
        while (code.hasRemaining()) {
            out.putInt(code.getInt());
        }
        return out.array();
    }

    /** Returns null if the bytes are not those of a shader. */
    static @Nullable CompiledShader decode(ShaderSource source, ProgramKey key, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try {
            int pushConstantBytes = in.getInt();
            int count = in.getInt();
            ShaderBinding.Kind[] kinds = ShaderBinding.Kind.values();
            Format[] formats = Format.values();
            List<ShaderBinding> bindings = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                byte[] name = new byte[length(in)];
                in.get(name);
                int set = in.getInt();
                int binding = in.getInt();
                int kind = in.getInt();
                boolean written = in.getInt() != 0;
                int elements = in.getInt();
                int format = in.getInt();
                if (kind < 0 || kind >= kinds.length || elements < 1 || format < -1 || format >= formats.length) {
                    return null;
                }
                bindings.add(new ShaderBinding(
                        new String(name, StandardCharsets.UTF_8),
                        set,
                        binding,
                        kinds[kind],
                        written,
                        elements,
                        format < 0 ? null : formats[format]));
            }
            int codeBytes = length(in);
            if (codeBytes != in.remaining()
                    || codeBytes < Integer.BYTES
                    || codeBytes % Integer.BYTES != 0
                    || in.getInt(in.position()) != SPIRV_MAGIC) {
                return null;
            }
            ByteBuffer code = BufferUtils.createByteBuffer(codeBytes);
            while (in.hasRemaining()) {
                code.putInt(in.getInt());
            }
            return new CompiledShader(source, code.flip(), new ShaderReflection(bindings, pushConstantBytes), key);
        } catch (BufferUnderflowException e) {
            return null;
        }
    }

    private static int length(ByteBuffer in) {
        int length = in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return length;
    }
}
