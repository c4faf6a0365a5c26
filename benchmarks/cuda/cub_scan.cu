// Times exclusive sums of CUB's DeviceScan and device-to-device copies of as many bytes, by CUDA events; prints a line of
// JSON for the machine, then one for each figure, with the keys of "bench --gpu compute".
//
//   cub_scan [--sizes N..M|N[,N]...] [--quick]      exponents of two, 10 to 29 (default 20..28)
//
// Every result is compared with a sequential one before it is timed. Status 0, 1 when a result was wrong or CUDA failed, 2
// when the command line is wrong.
#include <cub/device/device_scan.cuh>

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

namespace {

void check(cudaError_t error, const char *what) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "cub_scan: %s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}

// The input of the Java benchmark: the finaliser of SplitMix64 on the index.
uint32_t random_word(uint64_t index) {
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return static_cast<uint32_t>((z ^ (z >> 31)) >> 32);
}

template <typename T>
T element(uint64_t index);

template <>
uint32_t element<uint32_t>(uint64_t index) {
    return random_word(index);
}

// Small, for sums of signed numbers must not overflow here.
template <>
int32_t element<int32_t>(uint64_t index) {
    return static_cast<int32_t>(random_word(index) % 15) - 7;
}

template <>
uint64_t element<uint64_t>(uint64_t index) {
    return random_word(2 * index) | static_cast<uint64_t>(random_word(2 * index + 1)) << 32;
}

// Small whole numbers around zero: their sums are exact in any order.
template <>
float element<float>(uint64_t index) {
    return static_cast<float>(static_cast<int>((random_word(index) >> 8) % 19) - 9);
}

struct Timing {
    double median, min, max;
};

// Work before the samples, as much as in the Java benchmark, whose figures these stand beside: while the host compares a
// result the device idles and its clock falls, and it takes most of a second of work to come back.
constexpr double warm_up_nanos = 1e9;

// Warms up, then takes the median of samples of many executions each.
Timing time_runs(int samples, const std::function<void()> &run) {
    cudaEvent_t begin, end;
    check(cudaEventCreate(&begin), "create event");
    check(cudaEventCreate(&end), "create event");
    auto sample = [&](int repetitions) {
        check(cudaEventRecord(begin), "record event");
        for (int i = 0; i < repetitions; i++) {
            run();
        }
        check(cudaEventRecord(end), "record event");
        check(cudaEventSynchronize(end), "wait");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, begin, end), "read events");
        return milliseconds * 1e6 / repetitions;
    };
    int repetitions = 1;
    for (double spent = 0; spent < warm_up_nanos;) {
        double nanos = std::max(1.0, sample(repetitions));
        spent += nanos * repetitions;
        repetitions = static_cast<int>(std::max(1.0, std::min(400.0, 5e6 / nanos)));
    }
    std::vector<double> all(samples);
    for (double &one : all) {
        one = sample(repetitions);
    }
    std::sort(all.begin(), all.end());
    check(cudaEventDestroy(begin), "destroy event");
    check(cudaEventDestroy(end), "destroy event");
    return {all[all.size() / 2], all.front(), all.back()};
}

void print(const char *work, const char *variant, const char *how, uint64_t length, uint64_t bytes, const Timing &timing,
           int samples, double copy_rate) {
    double rate = bytes / timing.median;
    std::printf("{\"work\":\"%s\",\"variant\":\"%s\",\"how\":\"%s\",\"input\":\"random\",\"length\":%llu,"
                "\"medianNanos\":%.1f,\"minNanos\":%.1f,\"maxNanos\":%.1f,\"samples\":%d,\"elementsPerSecond\":%.6g,"
                "\"bytes\":%llu,\"gigabytesPerSecond\":%.2f,\"ratioToCopy\":%.4f}\n",
                work, variant, how, static_cast<unsigned long long>(length), timing.median, timing.min, timing.max,
                samples, length / timing.median * 1e9, static_cast<unsigned long long>(bytes), rate,
                copy_rate > 0 ? rate / copy_rate : 0.0);
    std::fflush(stdout);
}

template <typename T>
void measure(const char *variant, uint64_t length, int samples) {
    uint64_t bytes = length * sizeof(T);
    std::vector<T> host(length);
    for (uint64_t i = 0; i < length; i++) {
        host[i] = element<T>(i);
    }
    T *input = nullptr;
    T *output = nullptr;
    void *scratch = nullptr;
    size_t scratch_bytes = 0;
    check(cudaMalloc(&input, bytes), "allocate input");
    check(cudaMalloc(&output, bytes), "allocate output");
    check(cub::DeviceScan::ExclusiveSum(nullptr, scratch_bytes, input, output, length), "ask for scratch memory");
    check(cudaMalloc(&scratch, scratch_bytes), "allocate scratch memory");
    check(cudaMemcpy(input, host.data(), bytes, cudaMemcpyHostToDevice), "upload");
    check(cudaMemset(output, 0x77, bytes), "poison");
    auto scan = [&] {
        check(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, input, output, length), "scan");
    };
    scan();
    std::vector<T> result(length);
    check(cudaMemcpy(result.data(), output, bytes, cudaMemcpyDeviceToHost), "read");
    T sum = 0;
    for (uint64_t i = 0; i < length; i++) {
        if (std::memcmp(&result[i], &sum, sizeof(T)) != 0) {
            std::fprintf(stderr, "cub_scan: %s of %llu elements: element %llu is wrong\n", variant,
                         static_cast<unsigned long long>(length), static_cast<unsigned long long>(i));
            std::exit(1);
        }
        sum += host[i];
    }
    Timing copy = time_runs(samples, [&] {
        check(cudaMemcpyAsync(output, input, bytes, cudaMemcpyDeviceToDevice), "copy");
    });
    double copy_rate = 2 * bytes / copy.median;
    print("copy", variant, "cudaMemcpyAsync", length, 2 * bytes, copy, samples, 0);
    print("scan", variant, "CUB DeviceScan", length, 2 * bytes, time_runs(samples, scan), samples, copy_rate);
    check(cudaFree(input), "free");
    check(cudaFree(output), "free");
    check(cudaFree(scratch), "free");
}

int usage(const char *wrong) {
    std::fprintf(stderr, "cub_scan: %s; usage: cub_scan [--sizes N..M|N[,N]...] [--quick]\n", wrong);
    return 2;
}

// The exponents that a range or a list names; none if it names others than 10 to 29.
std::vector<int> parse_sizes(const char *text) {
    std::vector<int> sizes;
    int first = 0;
    int last = 0;
    char rest = 0;
    if (std::sscanf(text, "%d..%d%c", &first, &last, &rest) == 2) {
        for (int size = first; size <= last && size <= 30; size++) {
            sizes.push_back(size);
        }
    } else {
        for (const char *at = text; at != nullptr; at = std::strchr(at, ',')) {
            at += *at == ',';
            int end = 0;
            if (std::sscanf(at, "%d%n", &first, &end) != 1 || (at[end] != ',' && at[end] != 0)) {
                return {};
            }
            sizes.push_back(first);
        }
    }
    for (int size : sizes) {
        if (size < 10 || size > 29) {
            return {};
        }
    }
    return sizes;
}

}  // namespace

int main(int count, char **arguments) {
    std::vector<int> sizes = parse_sizes("20..28");
    int samples = 11;
    for (int i = 1; i < count; i++) {
        if (std::strcmp(arguments[i], "--quick") == 0) {
            samples = 3;
        } else if (std::strcmp(arguments[i], "--sizes") == 0 && i + 1 < count) {
            i++;
            sizes = parse_sizes(arguments[i]);
            if (sizes.empty()) {
                return usage("--sizes takes exponents from 10 to 29, such as 20..28 or 20,24");
            }
        } else {
            return usage("unknown option");
        }
    }
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, 0), "find a device");
    int driver = 0;
    check(cudaDriverGetVersion(&driver), "ask the driver");
    std::printf("{\"device\":\"%s\",\"driver\":\"CUDA %d.%d\",\"cub\":\"%d.%d.%d\"}\n", properties.name, driver / 1000,
                driver % 1000 / 10, CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
    for (int size : sizes) {
        uint64_t length = uint64_t{1} << size;
        measure<uint32_t>("u32 sum", length, samples);
        measure<int32_t>("i32 sum", length, samples);
        measure<uint64_t>("u64 sum", length, samples);
        measure<float>("f32 sum", length, samples);
    }
    return 0;
}
