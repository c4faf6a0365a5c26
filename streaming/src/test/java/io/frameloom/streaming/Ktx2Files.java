package io.frameloom.streaming;

import static org.assertj.core.api.Assertions.assertThat;

import io.frameloom.gpu.resource.Format;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.IntFunction;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.util.ktx.KTX;
import org.lwjgl.util.ktx.ktxBasisParams;
import org.lwjgl.util.ktx.ktxTexture;
import org.lwjgl.util.ktx.ktxTexture2;
import org.lwjgl.util.ktx.ktxTextureCreateInfo;

/** Writes KTX2 files as tools do, by Khronos' library. */
final class Ktx2Files {
    private Ktx2Files() {}

    enum Packing {
        NONE,
        ZSTANDARD,
        ZLIB,
        UASTC,
        UASTC_ZSTANDARD,
        ETC1S
    }

    static void write(
            Path path, int width, int height, int levels, Format format, Packing packing, IntFunction<byte[]> texels) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            ktxTextureCreateInfo info = ktxTextureCreateInfo
                    .calloc(stack)
                    .vkFormat(format.vulkan())
                    .baseWidth(width)
                    .baseHeight(height)
                    .baseDepth(1)
                    .numDimensions(2)
                    .numLevels(levels)
                    .numLayers(1)
                    .numFaces(1);
            PointerBuffer made = stack.mallocPointer(1);
            require(KTX.ktxTexture2_Create(info, KTX.KTX_TEXTURE_CREATE_ALLOC_STORAGE, made));
            ktxTexture2 texture = ktxTexture2.create(made.get(0));
            for (int level = 0; level < levels; level++) {
                byte[] bytes = texels.apply(level);
                ByteBuffer direct = MemoryUtil.memAlloc(bytes.length).put(bytes).flip();
                require(KTX.ktxTexture_SetImageFromMemory(ktxTexture.create(made.get(0)), level, 0, 0, direct));
                MemoryUtil.memFree(direct);
            }
            pack(stack, texture, packing);
            require(KTX.ktxTexture2_WriteToNamedFile(texture, path.toString()));
            KTX.ktxTexture2_Destroy(texture);
        }
    }

    private static void pack(MemoryStack stack, ktxTexture2 texture, Packing packing) {
        boolean isUastc = packing == Packing.UASTC || packing == Packing.UASTC_ZSTANDARD;
        if (isUastc || packing == Packing.ETC1S) {
            ktxBasisParams how = ktxBasisParams
                    .calloc(stack)
                    .structSize(ktxBasisParams.SIZEOF)
                    .codec(isUastc ? KTX.KTX_BASIS_CODEC_UASTC_LDR_4x4 : KTX.KTX_BASIS_CODEC_ETC1S)
                    .threadCount(1)
                    .qualityLevel(isUastc ? 0 : 64)
                    .etc1sCompressionLevel(1);
            require(KTX.ktxTexture2_CompressBasisEx(texture, how));
        }
        if (packing == Packing.ZSTANDARD || packing == Packing.UASTC_ZSTANDARD) {
            require(KTX.ktxTexture2_DeflateZstd(texture, 3));
        }
        if (packing == Packing.ZLIB) {
            require(KTX.ktxTexture2_DeflateZLIB(texture, 3));
        }
    }

    /** Returns a level of a file that the library reads and transcodes as a whole. */
    static byte[] transcoded(Path path, Transcoding target, int level, int bytes) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            PointerBuffer made = stack.mallocPointer(1);
            require(KTX.ktxTexture2_CreateFromNamedFile(
                    path.toString(), KTX.KTX_TEXTURE_CREATE_LOAD_IMAGE_DATA_BIT, made));
            ktxTexture2 texture = ktxTexture2.create(made.get(0));
            require(KTX.ktxTexture2_TranscodeBasis(texture, target.code(), 0));
            PointerBuffer offset = stack.mallocPointer(1);
            require(KTX.ktxTexture2_GetImageOffset(texture, level, 0, 0, offset));
            byte[] texels = new byte[bytes];
            MemoryUtil.memByteBuffer(KTX.nktxTexture_GetData(made.get(0)) + offset.get(0), bytes)
                    .get(texels);
            KTX.ktxTexture2_Destroy(texture);
            return texels;
        }
    }

    static byte[] array(ByteBuffer bytes) {
        byte[] array = new byte[bytes.remaining()];
        bytes.duplicate().get(array);
        return array;
    }

    private static void require(int result) {
        assertThat(result).as(KTX.ktxErrorString(result)).isEqualTo(KTX.KTX_SUCCESS);
    }
}
