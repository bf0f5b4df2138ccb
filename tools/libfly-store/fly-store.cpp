// Part of the Fly project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libfly_store.so: the C functions of fly-c/Store.h over lib/Store. No logic
// stands here: arguments are turned into values, errors into a status and a
// message.

#include "fly-c/Store.h"

#include "fly/Store/Layers.h"
#include "fly/Support/Errors.h"
#include "fly/Target/AMDGPU/Resolve.h"

#include <cstring>

using namespace fly::store;
using fly::amdgpu::Target;
using llvm::StringRef;

struct FlyStore {
  std::optional<Layers> layers;
  std::string message;
  std::string warnings;
};

struct FlyArtefact {
  Artefact artefact;
  std::string key;
  std::string target;
};

/// Keeps the message of `error` and answers what kind of error it is.
static FlyStoreStatus fail(FlyStore *store, llvm::Error error) {
  std::string code = fly::support::codeOf(error);
  store->message = llvm::toString(std::move(error));
  if (StringRef(code).starts_with("T"))
    return FLY_STORE_NO_TARGET;
  if (code == "S001")
    return FLY_STORE_MISS;
  return code == "S002" || code == "S003" || code == "S004" || code == "S005"
             ? FLY_STORE_CORRUPT
             : FLY_STORE_USAGE;
}

static FlyStoreStatus refuse(FlyStore *store, const char *message) {
  if (store)
    store->message = message;
  return FLY_STORE_USAGE;
}

FlyStoreStatus flyStoreOpen(const char *const *folders, size_t count,
                            FlyStore **store) {
  return flyStoreOpenWith(folders, count, 0, store);
}

FlyStoreStatus flyStoreOpenWith(const char *const *folders, size_t count,
                                unsigned flags, FlyStore **store) {
  if (!store)
    return FLY_STORE_USAGE;
  *store = new FlyStore();
  if (!folders && count)
    return refuse(*store, "expected folders, found NULL");
  if (flags & ~(FLY_STORE_TOLERANT | FLY_STORE_COPY))
    return refuse(*store, "expected FLY_STORE_TOLERANT and FLY_STORE_COPY, "
                          "found an unknown flag");
  std::vector<LayerSpec> specs;
  for (size_t i = 0; i < count; ++i) {
    if (!folders[i])
      return refuse(*store, "expected a folder, found NULL");
    specs.push_back({folders[i], Mode::ReadOnly});
  }
  LayersOptions options;
  options.strict = !(flags & FLY_STORE_TOLERANT);
  options.skipUnusable = !options.strict;
  options.mapped = !(flags & FLY_STORE_COPY);
  options.warn = [warnings = &(*store)->warnings](const std::string &text) {
    *warnings += text + "\n";
  };
  llvm::Expected<std::string> auth =
      remoteAuth(fly::support::Environment::capture());
  if (!auth) {
    (void)fail(*store, auth.takeError());
    return FLY_STORE_USAGE;
  }
  options.auth = std::move(*auth);
  llvm::Expected<Layers> layers = Layers::open(specs, std::move(options));
  if (!layers) {
    (void)fail(*store, layers.takeError());
    return FLY_STORE_USAGE;
  }
  (*store)->layers.emplace(std::move(*layers));
  return FLY_STORE_OK;
}

void flyStoreClose(FlyStore *store) { delete store; }

const char *flyStoreMessage(const FlyStore *store) {
  return store ? store->message.c_str() : "no store";
}

const char *flyStoreWarnings(const FlyStore *store) {
  return store ? store->warnings.c_str() : "";
}

FlyStoreStatus flyStoreResolveTarget(FlyStore *store, const char *deviceName,
                                     const char *kfdNodes,
                                     char target[FLY_TARGET_SIZE]) {
  if (!store || !target)
    return refuse(store, "expected a store and room for the target");
  fly::amdgpu::ResolveRequest request;
  // What code is for was said when it was built; here the device counts, so
  // the variables that choose a target to compile for are left out.
  std::vector<std::pair<std::string, std::string>> variables;
  auto environment = fly::support::Environment::capture();
  for (StringRef name :
       {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES",
        "GPU_DEVICE_ORDINAL", "HSA_OVERRIDE_GFX_VERSION", "PATH"})
    if (std::optional<StringRef> value = environment.get(name))
      variables.emplace_back(name.str(), value->str());
  for (const auto &[node, value] :
       environment.numbered("HSA_OVERRIDE_GFX_VERSION"))
    variables.emplace_back("HSA_OVERRIDE_GFX_VERSION_" + std::to_string(node),
                           value.str());
  request.environment = fly::support::Environment::fromPairs(variables);
  request.features = fly::amdgpu::FeaturePolicy::Exact;
  if (deviceName)
    request.deviceName = deviceName;
  if (kfdNodes) {
    request.kfdRoot = kfdNodes;
    request.detect = fly::amdgpu::DetectMode::Kfd;
  }
  llvm::Expected<fly::amdgpu::Resolution> resolution =
      fly::amdgpu::resolve(request);
  if (!resolution)
    return fail(store, resolution.takeError());
  std::string text = resolution->target().text();
  if (text.size() >= FLY_TARGET_SIZE)
    return refuse(store, "the text of the target is too long");
  std::memcpy(target, text.c_str(), text.size() + 1);
  return FLY_STORE_OK;
}

static FlyArtefact *handOut(Artefact artefact) {
  std::string key = artefact.manifest.key.text();
  std::string target = artefact.manifest.target.text();
  return new FlyArtefact{std::move(artefact), std::move(key),
                         std::move(target)};
}

/// A miss of a tolerant store.
static FlyStoreStatus miss(FlyStore *store, StringRef wanted) {
  store->message = fly::support::quoted(wanted) + " is in no store [FLY-S001]";
  return FLY_STORE_MISS;
}

FlyStoreStatus flyStoreFindUnit(FlyStore *store, const char *unit,
                                const char *target, FlyArtefact **artefact) {
  if (artefact)
    *artefact = nullptr;
  if (!store || !store->layers || !unit || !target || !artefact)
    return refuse(store, "expected an open store, a unit and a target");
  llvm::Expected<Target> device = parseTargetText(target);
  if (!device)
    return fail(store, device.takeError());
  llvm::Expected<std::optional<UnitHit>> hit =
      store->layers->lookUpUnit(unit, *device);
  if (!hit)
    return fail(store, hit.takeError());
  if (!*hit)
    return miss(store, unit);
  *artefact = handOut(std::move((*hit)->artefact));
  return FLY_STORE_OK;
}

FlyStoreStatus flyStoreFindKey(FlyStore *store, const char *key,
                               FlyArtefact **artefact) {
  if (artefact)
    *artefact = nullptr;
  if (!store || !store->layers || !key || !artefact)
    return refuse(store, "expected an open store and a key");
  if (!fly::support::isKeyText(key))
    return refuse(store, "expected a key: 'fly1-' and 64 hexadecimal digits");
  llvm::Expected<std::optional<Artefact>> found =
      store->layers->lookUp(StringRef(key));
  if (!found)
    return fail(store, found.takeError());
  if (!*found)
    return miss(store, key);
  *artefact = handOut(std::move(**found));
  return FLY_STORE_OK;
}

void flyArtefactFree(FlyArtefact *artefact) { delete artefact; }

const void *flyArtefactBytes(const FlyArtefact *artefact, size_t *size) {
  if (size)
    *size = artefact ? artefact->artefact.bytes->getBufferSize() : 0;
  return artefact ? artefact->artefact.bytes->getBufferStart() : nullptr;
}

const char *flyArtefactKey(const FlyArtefact *artefact) {
  return artefact ? artefact->key.c_str() : "";
}

const char *flyArtefactTarget(const FlyArtefact *artefact) {
  return artefact ? artefact->target.c_str() : "";
}

size_t flyArtefactKernelCount(const FlyArtefact *artefact) {
  return artefact ? artefact->artefact.manifest.kernels.size() : 0;
}

FlyStoreStatus flyArtefactKernel(const FlyArtefact *artefact, size_t index,
                                 FlyKernel *kernel) {
  if (!artefact || !kernel || index >= flyArtefactKernelCount(artefact))
    return FLY_STORE_USAGE;
  const KernelFacts &facts = artefact->artefact.manifest.kernels[index];
  *kernel = {facts.name.c_str(), facts.kernarg, facts.lds,
             facts.scratch,      facts.vgprs,   facts.sgprs,
             facts.agprs,        facts.wave,    facts.maxWorkgroup};
  return FLY_STORE_OK;
}
