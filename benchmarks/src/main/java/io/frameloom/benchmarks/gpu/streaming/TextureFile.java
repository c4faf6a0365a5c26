package io.frameloom.benchmarks.gpu.streaming;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.util.ktx.KTX;
import org.lwjgl.util.ktx.ktxBasisParams;
import org.lwjgl.util.ktx.ktxTexture;
import org.lwjgl.util.ktx.ktxTexture2;
import org.lwjgl.util.ktx.ktxTextureCreateInfo;
import org.lwjgl.vulkan.VK13;

/** Writes KTX2 files of square textures, as tools do. */
final class TextureFile {
    private TextureFile() {}

    /** Writes levels as they are, the finest first. */
    static void writeStored(Path path, int extent, int vulkanFormat, List<ByteBuffer> levels) {
        write(path, extent, vulkanFormat, levels, false);
    }

    /** Encodes levels of R8G8B8A8_SRGB as UASTC. */
    static void writeUastc(Path path, int extent, List<ByteBuffer> levels) {
        write(path, extent, VK13.VK_FORMAT_R8G8B8A8_SRGB, levels, true);
    }

    private static void write(Path path, int extent, int vulkanFormat, List<ByteBuffer> levels, boolean isUastc) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer made = stack.mallocPointer(1);
            check(KTX.ktxTexture2_Create(
                    ktxTextureCreateInfo
                            .calloc(stack)
                            .vkFormat(vulkanFormat)
                            .baseWidth(extent)
                            .baseHeight(extent)
                            .baseDepth(1)
                            .numDimensions(2)
                            .numLevels(levels.size())
                            .numLayers(1)
                            .numFaces(1),
                    KTX.KTX_TEXTURE_CREATE_ALLOC_STORAGE,
                    made));
            ktxTexture2 texture = ktxTexture2.create(made.get(0));
            try {
                for (int level = 0; level < levels.size(); level++) {
                    check(KTX.ktxTexture_SetImageFromMemory(
                            ktxTexture.create(made.get(0)), level, 0, 0, levels.get(level)));
                }
                if (isUastc) {
                    check(KTX.ktxTexture2_CompressBasisEx(
                            texture,
                            ktxBasisParams
                                    .calloc(stack)
                                    .structSize(ktxBasisParams.SIZEOF)
                                    .codec(KTX.KTX_BASIS_CODEC_UASTC_LDR_4x4)
                                    .uastcFlags(KTX.KTX_PACK_UASTC_LEVEL_FASTEST)
                                    .threadCount(Runtime.getRuntime().availableProcessors())));
                }
                check(KTX.ktxTexture2_WriteToNamedFile(texture, path.toString()));
            } finally {
                KTX.ktxTexture2_Destroy(texture);
            }
        }
    }

    private static void check(int result) {
        if (result != KTX.KTX_SUCCESS) {
            throw new IllegalStateException("the KTX library says " + KTX.ktxErrorString(result));
        }
    }
}
